//! The addresses of HTTP servers, checked by the outline that RFC 3986 and RFC 9110 give them.

/// What an address is made of, as far as this room looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// Everything before the user-info or the host: `https://`.
    pub(super) scheme: &'a str,
    /// What stands before the last `@` of the authority.
    pub(super) user_info: Option<&'a str>,
    /// The host, an IPv6 address without its brackets.
    pub(super) host: &'a str,
    /// The port, where one is written.
    pub(super) port: Option<&'a str>,
}

/// Checks that a text is an `http` or `https` address with a host. The reason is in our words and
/// holds nothing of the address, which may be a secret.
pub(super) fn check(url: &str) -> Result<Address<'_>, &'static str> {
    if url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("the address holds white space or a control character");
    }
    let (scheme, user_info, host_and_port) =
        split(url).ok_or("the address does not begin with http:// or https://")?;
    if !scheme.eq_ignore_ascii_case("http://") && !scheme.eq_ignore_ascii_case("https://") {
        return Err("only http:// and https:// addresses can be reached");
    }
    // Some parsers read a backslash as a slash, so it could name two hosts at once.
    if host_and_port.contains('\\') || user_info.is_some_and(|u| u.contains('\\')) {
        return Err("the address holds a backslash before its path");
    }
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(rest) => {
            let (host, after) =
                rest.split_once(']').ok_or("the IPv6 address is not closed with ]")?;
            host.parse::<std::net::Ipv6Addr>().map_err(|_| "the IPv6 address is not one")?;
            (host, after)
        }
        None => match host_and_port.find(':').and_then(|at| host_and_port.split_at_checked(at)) {
            Some(parts) => parts,
            None => (host_and_port, ""),
        },
    };
    if host.is_empty() {
        return Err("the address has no host");
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => {}
        // RFC 3986, 3.2.3: a port may be empty.
        Some("") => {}
        Some(port) if port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok() => {}
        Some(_) | None => return Err("the port of the address is not a number up to 65535"),
    }
    let port = port.strip_prefix(':').filter(|port| !port.is_empty());
    Ok(Address { scheme, user_info, host, port })
}

/// Splits an address of any scheme into scheme with `://`, user-info, and host with port.
pub(super) fn split(url: &str) -> Option<(&str, Option<&str>, &str)> {
    let (scheme, rest) = url.split_at_checked(url.find("://")? + 3)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    Some(match authority.rsplit_once('@') {
        Some((user_info, host)) => (scheme, Some(user_info), host),
        None => (scheme, None, authority),
    })
}

/// Whether a text can be the name of a header: a token of RFC 9110, section 5.6.2.
pub(super) fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Whether a text can be the value of a header: RFC 9110, section 5.5, without what ends a line.
pub(super) fn is_header_value(value: &str) -> bool {
    value.chars().all(|c| c == '\t' || !c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_a_host_pass() {
        for (url, user_info, host) in [
            ("http://127.0.0.1:9/mcp", None, "127.0.0.1"),
            ("HTTPS://Example.org", None, "Example.org"),
            ("https://u:p@example.org/a?b=http://x#c", Some("u:p"), "example.org"),
            ("https://a@b@example.org", Some("a@b"), "example.org"),
            ("http://[::1]:8080/", None, "::1"),
            ("http://host:", None, "host"),
            ("http://größe.example/?", None, "größe.example"),
        ] {
            let address = check(url).unwrap_or_else(|why| panic!("{url}: {why}"));
            assert_eq!((address.user_info, address.host), (user_info, host), "{url}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for url in [
            "",
            "not a url",
            "example.org/mcp",
            "http:/x",
            "http://",
            "http:///path",
            "http://:80/",
            "http://u@/",
            "ftp://example.org",
            "file:///etc/passwd",
            "javascript://x",
            "http://host:99999/",
            "http://host:8x/",
            "http://host:+8/",
            "http://[::1/",
            "http://[nope]/",
            "http://[::1]x/",
            "http://good\\@evil/",
            "http://good/\n",
            " http://good/",
        ] {
            assert!(check(url).is_err(), "{url:?}");
        }
    }
}
