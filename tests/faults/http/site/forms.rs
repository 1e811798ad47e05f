//! Server-sent events in every form that the standard allows.

/// A form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Line feeds, and a space behind the colon.
    Plain,
    /// Carriage return and line feed.
    CrLf,
    /// Carriage returns.
    Cr,
    /// No space behind the colon.
    NoSpace,
    /// A line of data for every member.
    ManyLines,
    /// Comments before, inside and behind.
    Comments,
    /// Fields that mean nothing, one of them without a colon.
    UnknownFields,
    /// The kind of event that is meant anyway, and an id and a pause.
    AllFields,
}

impl Form {
    /// Every one.
    pub(crate) const ALL: [Self; 8] = [
        Self::Plain,
        Self::CrLf,
        Self::Cr,
        Self::NoSpace,
        Self::ManyLines,
        Self::Comments,
        Self::UnknownFields,
        Self::AllFields,
    ];
}

/// One message as an event, the empty line with it.
pub(crate) fn event(form: Form, message: &str) -> String {
    match form {
        Form::Plain => format!("data: {message}\n\n"),
        Form::CrLf => format!("data: {message}\r\n\r\n"),
        Form::Cr => format!("data: {message}\r\r"),
        Form::NoSpace => format!("data:{message}\n\n"),
        // JSON may be broken behind a comma; so far none stands inside a text.
        Form::ManyLines => format!("data: {}\n\n", message.replace(",\"", ",\ndata: \"")),
        Form::Comments => format!(": before\n:\ndata: {message}\n: inside\n\n: behind\n\n"),
        Form::UnknownFields => format!("color: red\nlonely\ndata: {message}\n\u{e9}: x\n\n"),
        Form::AllFields => format!("event: message\nid: 7\nretry: 20\ndata: {message}\n\n"),
    }
}
