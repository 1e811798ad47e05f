//! What a Rust source refers to: a small reader of tokens and paths, enough for this crate's own
//! sources. Comments, strings and code that only tests see are left out.

/// A token, with the line it stands on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) what: What,
    pub(crate) line: usize,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    /// A keyword or a name.
    Word(String),
    /// `::`
    Colons,
    /// Any other character.
    Mark(char),
}

/// A path that stands in a source, its segments in order; a glob ends in `*`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reference {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    /// How many inline modules of the file stand around it.
    pub(crate) depth: usize,
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(&self.what, What::Word(w) if w == word)
    }

    fn mark(&self) -> Option<char> {
        if let What::Mark(c) = self.what { Some(c) } else { None }
    }

    fn word(&self) -> Option<&str> {
        if let What::Word(w) = &self.what { Some(w) } else { None }
    }
}

/// Splits a source into tokens, without comments and literals.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let from = at;
        let c = chars[at];
        let next = chars.get(at + 1).copied();
        let mut what = None;
        if c == '/' && next == Some('/') {
            at = find(&chars, at, |c| c == '\n');
        } else if c == '/' && next == Some('*') {
            at = block_comment(&chars, at);
        } else if let Some(end) = raw_string(&chars, at) {
            at = end;
        } else if c == '"' {
            at = quoted(&chars, at);
        } else if c == '\'' {
            at = character(&chars, at);
        } else if c.is_alphabetic() || c == '_' {
            at = find(&chars, at, |c| !c.is_alphanumeric() && c != '_');
            let word: String = chars[from..at].iter().collect();
            if word == "r" && chars.get(at) == Some(&'#') {
                at += 1; // a raw identifier is its name
            } else if !matches!(chars.get(at), Some('"' | '\'')) || !["b", "c"].contains(&&*word) {
                what = Some(What::Word(word));
            }
        } else if c.is_numeric() {
            at = find(&chars, at, |c| !c.is_alphanumeric() && c != '_');
        } else if c == ':' && next == Some(':') {
            at += 2;
            what = Some(What::Colons);
        } else {
            at += 1;
            what = (!c.is_whitespace()).then_some(What::Mark(c));
        }
        found.extend(what.map(|what| Token { what, line }));
        line += chars[from..at].iter().filter(|c| **c == '\n').count();
    }
    found
}

fn find(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| stop(*c)).map_or(chars.len(), |n| from + n)
}

fn block_comment(chars: &[char], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// The end of `r"…"`, `r#"…"#`, `br"…"`, `cr"…"` when one begins here.
fn raw_string(chars: &[char], from: usize) -> Option<usize> {
    let mut at = from;
    if matches!(chars[at], 'b' | 'c') {
        at += 1;
    }
    if chars.get(at) != Some(&'r') {
        return None;
    }
    let open = find(chars, at + 1, |c| c != '#');
    let hashes = open - at - 1;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    let mut at = open + 1;
    while at < chars.len() {
        let end = at + 1 + hashes;
        if chars[at] == '"' && chars.get(at + 1..end).is_some_and(|h| h.iter().all(|c| *c == '#')) {
            return Some(end);
        }
        at += 1;
    }
    Some(at)
}

fn quoted(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The end of a character literal, or of the apostrophe of a lifetime.
fn character(chars: &[char], from: usize) -> usize {
    match (chars.get(from + 1), chars.get(from + 2)) {
        (Some('\\'), Some(_)) => (find(chars, from + 3, |c| c == '\'') + 1).min(chars.len()),
        (Some(_), Some('\'')) => from + 3,
        _ => from + 1,
    }
}

/// Leaves out what stands under `#[cfg(test)]`. The second value names the modules of that kind
/// that have a file of their own.
pub(crate) fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut kept, mut files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let Some(mut end) = attribute(tokens, at) else {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let inside = &tokens[at..end];
        let for_tests = inside.iter().any(|t| t.is("cfg"))
            && inside.iter().any(|t| t.is("test"))
            && !inside.iter().any(|t| t.is("not"));
        if !for_tests {
            kept.extend_from_slice(inside);
            at = end;
            continue;
        }
        while let Some(more) = attribute(tokens, end) {
            end = more;
        }
        let item_end = item(tokens, end);
        let item = &tokens[end..item_end];
        if item.last().and_then(Token::mark) == Some(';')
            && let Some(name) = item.iter().skip_while(|t| !t.is("mod")).nth(1)
        {
            files.extend(name.word().map(str::to_owned));
        }
        at = item_end;
    }
    (kept, files)
}

/// The end of an outer attribute when one begins here.
fn attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let opens = tokens.get(at)?.mark() == Some('#') && tokens.get(at + 1)?.mark() == Some('[');
    opens.then(|| balanced(tokens, at + 1))
}

/// The end of the bracket that opens here.
fn balanced(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0;
    for (n, token) in tokens.iter().enumerate().skip(from) {
        match token.mark() {
            Some('(' | '[' | '{') => depth += 1,
            Some(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return n + 1;
        }
    }
    tokens.len()
}

/// The end of the item that begins here.
fn item(tokens: &[Token], from: usize) -> usize {
    let is_use = tokens[from..].iter().take(6).any(|t| t.is("use"));
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match token.mark() {
            Some(';') => return at + 1,
            Some('{') if !is_use => return balanced(tokens, at),
            Some('(' | '[' | '{') => at = balanced(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Every path in the tokens: of `use` items, each branch by itself, and inline ones.
pub(crate) fn references(tokens: &[Token]) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut braces: Vec<bool> = Vec::new(); // whether each open brace is that of a module
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let depth = braces.iter().filter(|is_module| **is_module).count();
        let line = token.line;
        let mut add = |path| found.push(Reference { path, line, depth });
        if token.mark() == Some('{') {
            let is_module = at >= 2 && tokens[at - 2].is("mod") && tokens[at - 1].word().is_some();
            braces.push(is_module);
        } else if token.mark() == Some('}') {
            braces.pop();
        } else if token.is("use") && tokens.get(at + 1).and_then(Token::mark) != Some('<') {
            at = tree(tokens, at + 1, &[], &mut add);
            continue;
        } else if token.is("extern") && tokens.get(at + 1).is_some_and(|t| t.is("crate")) {
            add(tokens[at + 2..]
                .iter()
                .take(1)
                .filter_map(Token::word)
                .map(str::to_owned)
                .collect());
            at += 2;
        } else if let Some(end) = inline(tokens, at) {
            add(tokens[at..end].iter().filter_map(Token::word).map(str::to_owned).collect());
            at = end;
            continue;
        }
        at += 1;
    }
    found
}

/// The end of a path of at least two segments when one begins here.
fn inline(tokens: &[Token], at: usize) -> Option<usize> {
    tokens.get(at)?.word()?;
    let colons = |n: usize| tokens.get(n).is_some_and(|t| t.what == What::Colons);
    // After `a::` or `A<B>::` this is the middle of a path; after `-> ::` its beginning.
    if at >= 2 && colons(at - 1) {
        let closes = tokens[at - 2].mark() == Some('>');
        let arrow = closes && at >= 3 && matches!(tokens[at - 3].mark(), Some('-' | '='));
        if tokens[at - 2].word().is_some() || (closes && !arrow) {
            return None;
        }
    }
    let mut end = at + 1;
    while colons(end) && tokens.get(end + 1).is_some_and(|t| t.word().is_some()) {
        end += 2;
    }
    (end > at + 1 || colons(end)).then_some(end)
}

/// Reads one branch of a `use` tree; gives where it ends.
fn tree(
    tokens: &[Token],
    from: usize,
    above: &[String],
    add: &mut impl FnMut(Vec<String>),
) -> usize {
    let mut path = above.to_vec();
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match &token.what {
            What::Word(word) if word == "as" => at += 2,
            What::Word(word) => {
                path.push(word.clone());
                at += 1;
            }
            What::Colons => at += 1,
            What::Mark('*') => {
                path.push("*".to_owned());
                at += 1;
            }
            What::Mark('{') => {
                at += 1;
                while tokens.get(at).is_some_and(|t| t.mark() != Some('}')) {
                    at = tree(tokens, at, &path, add);
                    at += usize::from(tokens.get(at).and_then(Token::mark) == Some(','));
                }
                return at + 1;
            }
            What::Mark(_) => break,
        }
    }
    if path.len() > above.len() {
        add(path);
    }
    at
}
