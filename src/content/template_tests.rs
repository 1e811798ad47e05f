//! The tables of RFC 6570, sections 1.2 and 3.2, and what lies beside them.

use super::{MAX_EXPANDED, MAX_TEMPLATE, TemplateError, UriTemplate};

/// The variables of the RFC's examples; lists are texts with commas here.
const VALUES: [(&str, &str); 13] = [
    ("var", "value"),
    ("hello", "Hello World!"),
    ("path", "/foo/bar"),
    ("empty", ""),
    ("x", "1024"),
    ("y", "768"),
    ("list", "red,green,blue"),
    ("count", "one,two,three"),
    ("base", "http://example.com/home/"),
    ("half", "50%"),
    ("who", "fred"),
    ("dub", "me/too"),
    ("v", "6"),
];

fn pairs(values: &[(&str, &str)]) -> Vec<(String, String)> {
    values.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn expand(template: &str, values: &[(&str, &str)]) -> String {
    let template = UriTemplate::parse(template).expect("a template");
    template.expand(&pairs(values)).expect("a URI")
}

#[test]
fn level_1_and_2_are_those_of_the_rfc() {
    for (template, expected) in [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{+var}", "value"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("X{#var}", "X#value"),
        ("X{#hello}", "X#Hello%20World!"),
        ("O{+empty}X", "OX"),
        ("O{+undef}X", "OX"),
        ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"),
    ] {
        assert_eq!(expand(template, &VALUES), expected, "{template}");
    }
}

#[test]
fn level_3_is_that_of_the_rfc() {
    for (template, expected) in [
        ("map?{x,y}", "map?1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("X{.var}", "X.value"),
        ("X{.x,y}", "X.1024.768"),
        ("{/var}", "/value"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/var,empty,undef}", "/value/"),
        ("{;x,y}", ";x=1024;y=768"),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;v,undef,who}", ";v=6;who=fred"),
        ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,undef}", "?x=1024"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="),
    ] {
        assert_eq!(expand(template, &VALUES), expected, "{template}");
    }
}

#[test]
fn level_4_is_that_of_the_rfc_with_lists_written_with_commas() {
    for (template, expected) in [
        ("{var:3}", "val"),
        ("{var:30}", "value"),
        ("{list*}", "red,green,blue"),
        ("{+path:6}/here", "/foo/b/here"),
        ("{+list*}", "red,green,blue"),
        ("{#path:6}/here", "#/foo/b/here"),
        ("{#list*}", "#red,green,blue"),
        ("X{.var:3}", "X.val"),
        ("X{.list*}", "X.red.green.blue"),
        ("{/var:1,var}", "/v/value"),
        ("{/list*}", "/red/green/blue"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
        ("{;hello:5}", ";hello=Hello"),
        ("{;list*}", ";list=red;list=green;list=blue"),
        ("{?var:3}", "?var=val"),
        ("{?list*}", "?list=red&list=green&list=blue"),
        ("{&list*}", "&list=red&list=green&list=blue"),
        ("{?count*}", "?count=one&count=two&count=three"),
    ] {
        assert_eq!(expand(template, &VALUES), expected, "{template}");
    }
}

#[test]
fn a_comma_is_one_of_many_characters_where_nothing_is_exploded() {
    assert_eq!(expand("{list}", &VALUES), "red%2Cgreen%2Cblue");
    assert_eq!(expand("{?list}", &VALUES), "?list=red%2Cgreen%2Cblue");
    assert_eq!(expand("{?list*}", &[("list", "one")]), "?list=one");
    assert_eq!(expand("{?list*}", &[("list", "")]), "?list=");
    assert_eq!(expand("{?list*}", &[("list", "a,,b")]), "?list=a&list=&list=b");
    assert_eq!(expand("{?list*}", &[]), "");
}

#[test]
fn values_are_encoded_once_and_exactly() {
    let topic = [("topic", "a/b c%é!")];
    assert_eq!(expand("res://events/{topic}", &topic), "res://events/a%2Fb%20c%25%C3%A9%21");
    assert_eq!(expand("res://e/{v}", &[("v", "%41!'()*")]), "res://e/%2541%21%27%28%29%2A");
    assert_eq!(expand("res://e/{+v}", &[("v", "a%2Fb[1]/%41%zz")]), "res://e/a%2Fb[1]/%41%25zz");
}

#[test]
fn every_expression_has_its_variables_by_bare_name() {
    for (template, expected) in [
        ("res://e{?topic,lang}", &["topic", "lang"][..]),
        ("res://e{/a,b}", &["a", "b"]),
        ("res://e{;id}", &["id"]),
        ("res://e{#f}", &["f"]),
        ("res://e{id:3}", &["id"]),
        ("res://e{list*}", &["list"]),
        ("{a}{?b,a*}{&b}", &["a", "b"]),
        ("res://plain", &[]),
    ] {
        let parsed = UriTemplate::parse(template).expect("a template");
        assert_eq!(parsed.variables(), expected, "{template}");
    }
    let parsed = UriTemplate::parse("{a}{?b,a*}").expect("a template");
    assert!(parsed.takes_list("a") && !parsed.takes_list("b"));
}

#[test]
fn what_is_left_out_takes_its_expression_with_it() {
    assert_eq!(expand("res://e{?topic,lang}", &[]), "res://e");
    assert_eq!(expand("res://e{?topic,lang}", &[("topic", "x")]), "res://e?topic=x");
    assert_eq!(expand("res://e/{a,b}", &[("b", "x")]), "res://e/x");
    assert_eq!(expand("res://e{/a,b}", &[("b", "x")]), "res://e/x");
    // Unknown names are no business of the expansion.
    assert_eq!(expand("res://e{?a}", &[("z", "x")]), "res://e");
}

#[test]
fn literals_that_no_uri_may_hold_are_encoded() {
    assert_eq!(
        expand("res://größe/漢{?q}", &[("q", "é")]),
        "res://gr%C3%B6%C3%9Fe/%E6%BC%A2?q=%C3%A9"
    );
}

#[test]
fn what_cannot_be_parsed_says_why_and_where() {
    for (template, expected) in [
        ("res://{id", "a `{` is never closed, at byte 7"),
        ("res://id}", "a character that no URI may hold, at byte 9"),
        ("res://{}", "not a variable's name, at byte 8"),
        ("{é}", "not a variable's name, at byte 2"),
        ("x%\u{fffd}{a}", "a character that no URI may hold, at byte 3"),
        ("{a:65536}", "the length of a prefix has more than four digits, at byte 8"),
        (
            "{a,b:99999999999999999999}",
            "the length of a prefix has more than four digits, at byte 10",
        ),
        ("res://{a b}", "not a variable's name, at byte 8"),
        ("res://{=a}", "an operator that is not in use, at byte 8"),
        ("res://%4", "a `%` without two hexadecimal digits, at byte 7"),
        ("res://größe/{id", "a `{` is never closed, at byte 15"),
        ("res://a\u{1b}[2J", "a character that no URI may hold, at byte 8"),
        ("{a}{{b}}", "not a variable's name, at byte 5"),
    ] {
        let error = UriTemplate::parse(template).expect_err("refused");
        assert_eq!(error.to_string(), expected, "{template}");
    }
}

#[test]
fn a_prefix_has_up_to_four_digits_and_other_digits_do_not_count() {
    for template in ["{a:9999}", "res:12345/{b}:123456{c}", "{a:1,b:22}"] {
        assert!(UriTemplate::parse(template).is_ok(), "{template}");
    }
}

proptest::proptest! {
    #[test]
    fn no_template_ends_the_program(template in "[{}:*+#/?&;.,a-c0-9% é\u{85}\u{fffd}\u{ffff}]{0,24}") {
        if let Ok(parsed) = UriTemplate::parse(&template) {
            let values: Vec<_> =
                parsed.variables().iter().map(|name| (name.clone(), "x,é".to_owned())).collect();
            let _ = parsed.expand(&values);
        }
    }
}

#[test]
fn both_lengths_are_bounded() {
    let edge = "a".repeat(MAX_TEMPLATE);
    assert!(UriTemplate::parse(&edge).is_ok());
    assert_eq!(UriTemplate::parse(&format!("{edge}a")), Err(TemplateError::TooLong(MAX_TEMPLATE)));
    let template = UriTemplate::parse("{a}{a}").expect("a template");
    let half = |more: usize| pairs(&[("a", &"x".repeat(MAX_EXPANDED / 2 + more))]);
    assert_eq!(template.expand(&half(0)).map(|uri| uri.len()), Ok(MAX_EXPANDED));
    assert_eq!(template.expand(&half(1)), Err(TemplateError::TooLong(MAX_EXPANDED)));
    let cut = UriTemplate::parse("{a:3}{a*}").expect("a template");
    assert_eq!(cut.expand(&pairs(&[("a", "x,y")])), Err(TemplateError::ListWithPrefix));
    assert_eq!(cut.expand(&pairs(&[("a", "xy")])), Ok("xyxy".into()));
}
