//! How messages are cut into lines, and what stands between them.

use super::conversation::Server;
use serde_json::Value;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// One message as bytes, with whatever the fault puts around it.
pub(crate) fn encode(server: &Server, message: &Value) -> Vec<u8> {
    let first = !std::mem::replace(&mut server.seen().wrote, true);
    let line = message.to_string();
    let text = match server.fault.as_str() {
        "nonjson" => format!("[INFO] about to answer {{not json}}\nDEBUG plain\n{line}\n"),
        "jsonlog" => format!("{{\"level\":\"info\"}}\n[1,2]\n\"a string\"\n42\n{line}\n"),
        "crlf" => format!("\r\n\r\n{line}\r\n"),
        "batch" => format!("[{line}]\n"),
        "pretty" => format!("{message:#}\n"),
        "no_jsonrpc" => {
            let mut message = message.clone();
            message.as_object_mut().map(|map| map.remove("jsonrpc"));
            format!("{message}\n")
        }
        _ => format!("{line}\n"),
    };
    let mut bytes = match server.fault.as_str() {
        "bad_utf8_log" => b"\xff\xfe\x80 garbage\n".to_vec(),
        "bom" if first => BOM.to_vec(),
        _ => Vec::new(),
    };
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// Answers to reads that are no proper lines. Says whether it answered.
pub(crate) fn read(server: &Server, id: &Value, uri: &str) -> bool {
    let mebibytes = usize::try_from(server.arg.unwrap_or(2)).unwrap_or(2);
    let block = vec![b'x'; 1 << 20];
    let head =
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"contents":[{{"uri":"{uri}","text":""#);
    match server.fault.as_str() {
        "huge" if uri == "mem://r0" => server.hold(|out| {
            out.write_all(head.as_bytes())?;
            (0..mebibytes).try_for_each(|_| out.write_all(&block))?;
            out.write_all(b"\"}]}}\n")
        }),
        "huge_noeol" if uri == "mem://r0" => {
            server.hold(|out| (0..mebibytes).try_for_each(|_| out.write_all(&block)));
        }
        "bad_utf8" => {
            let mut line = head.into_bytes();
            line.extend_from_slice(b"caf\xe9 \xff\xfe end\"}]}}\n");
            server.raw(&line);
        }
        "surrogate" => server.raw(format!("{head}half \\ud83d\"}}]}}}}\n").as_bytes()),
        "deep" => {
            let (open, close) = ("[".repeat(1000), "]".repeat(1000));
            server
                .raw(format!("{head}deep\"}}],\"_meta\":{{\"a\":{open}{close}}}}}}}\n").as_bytes());
        }
        "stall_mid" if uri == "mem://r0" => server.raw(head.as_bytes()),
        "partial" => {
            server.raw(format!("{head}hello\"}}]}}}}").as_bytes());
            std::process::exit(0);
        }
        _ => return false,
    }
    true
}
