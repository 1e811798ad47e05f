//! Both servers over their pipes, spoken to in hand-written lines.

mod calling;
mod watching;

use super::*;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines, ReadHalf, WriteHalf};

/// A client that writes lines and reads lines.
struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    /// Put into the parameters of every request.
    meta: Option<Value>,
    last_id: u64,
}

impl Client {
    fn new(name: &str) -> Self {
        let server = servers().into_iter().find(|server| server.name == name).unwrap();
        let (reader, writer) = tokio::io::split(server.open());
        Self { lines: BufReader::new(reader).lines(), writer, meta: None, last_id: 0 }
    }

    /// A client of the library that has shaken hands.
    async fn library() -> Self {
        let mut client = Self::new("library");
        client.result("initialize", initialize("2025-11-25")).await;
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    /// A client of the observatory that says its version with each request.
    fn observatory() -> Self {
        Self { meta: Some(modern_meta()), ..Self::new("observatory") }
    }

    async fn write(&mut self, message: &Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request and gives the whole answer back.
    async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let id = self.last_id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let line = self.lines.next_line().await.unwrap().expect("an answer before the end");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    async fn error_code(&mut self, method: &str, params: Value) -> i64 {
        let answer = self.ask(method, params).await;
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
    }

    async fn read(&mut self, uri: &str) -> Value {
        let mut result = self.result("resources/read", json!({"uri": uri})).await;
        assert_eq!(result["contents"].as_array().unwrap().len(), 1);
        assert_eq!(result["contents"][0]["uri"], uri);
        result["contents"][0].take()
    }

    /// All pages of a list, and how many pages there were.
    async fn pages(&mut self, method: &str, key: &str) -> (Vec<Value>, usize) {
        let (mut rows, mut count, mut params) = (Vec::new(), 0, json!({}));
        loop {
            let result = self.result(method, params).await;
            rows.extend(result[key].as_array().unwrap().iter().cloned());
            count += 1;
            match result.get("nextCursor") {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => return (rows, count),
            }
        }
    }
}

fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {},
           "clientInfo": {"name": "test", "version": "0"}})
}

fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_library_knows_no_discovery_and_then_shakes_hands() {
    let mut client = Client::new("library");
    client.meta = Some(modern_meta());
    assert_eq!(client.error_code("server/discover", json!({})).await, -32601);
    assert_eq!(client.error_code("resources/list", json!({})).await, -32022);
    client.meta = None;
    let result = client.result("initialize", initialize("2025-11-25")).await;
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "library");
    for capability in ["resources", "prompts", "tools"] {
        assert!(result["capabilities"][capability].is_object(), "{capability}");
    }
    client.meta = Some(modern_meta());
    assert_eq!(client.error_code("server/discover", json!({})).await, -32601);
}

#[tokio::test]
async fn the_library_answers_an_unknown_version_with_its_newest() {
    let mut client = Client::new("library");
    let result = client.result("initialize", initialize("2026-07-28")).await;
    assert_eq!(result["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn the_observatory_discovers_and_refuses_to_shake_hands() {
    let mut client = Client::observatory();
    let result = client.result("server/discover", json!({})).await;
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert!(result["capabilities"]["resources"].is_object());
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "observatory");

    let mut client = Client::new("observatory");
    let answer = client.ask("initialize", initialize("2025-11-25")).await;
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[tokio::test]
async fn every_listed_resource_reads_in_its_stated_size_and_type() {
    for (mut client, pages) in [(Client::library().await, 3), (Client::observatory(), 1)] {
        let (rows, count) = client.pages("resources/list", "resources").await;
        assert_eq!(count, pages);
        for row in rows {
            let contents = client.read(row["uri"].as_str().unwrap()).await;
            let size = match contents.get("blob") {
                Some(blob) => BASE64_STANDARD.decode(blob.as_str().unwrap()).unwrap().len(),
                None => contents["text"].as_str().unwrap().len(),
            };
            assert_eq!(row["size"], size, "{row}");
            assert_eq!(row["mimeType"], contents["mimeType"], "{row}");
            if row["mimeType"] == "application/json" {
                serde_json::from_str::<Value>(contents["text"].as_str().unwrap()).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn the_picture_is_a_png_of_64_by_64() {
    let contents = Client::library().await.read("library://pictures/bookplate.png").await;
    let bytes = BASE64_STANDARD.decode(contents["blob"].as_str().unwrap()).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(&bytes[16..24], &[0, 0, 0, 64, 0, 0, 0, 64]);
}

#[tokio::test]
async fn the_full_catalogue_is_two_megabytes() {
    let contents = Client::library().await.read("library://catalogue/full.txt").await;
    let text = contents["text"].as_str().unwrap();
    assert_eq!(text.len(), 2_000_000);
    assert!(text.lines().last().unwrap().starts_with("025000  "));
}

#[tokio::test]
async fn templates_are_listed_and_open() {
    let mut library = Client::library().await;
    let (rows, _) = library.pages("resources/templates/list", "resourceTemplates").await;
    assert_eq!(rows[0]["uriTemplate"], "library://books/{id}");
    let book = library.read("library://books/1").await;
    assert!(book["text"].as_str().unwrap().contains("The Ferryman's Arithmetic"));

    let mut observatory = Client::observatory();
    let (rows, _) = observatory.pages("resources/templates/list", "resourceTemplates").await;
    assert_eq!(rows[0]["uriTemplate"], "observatory://readings/{station}/{day}");
    let day = observatory.read("observatory://readings/summit/2026-07-01").await;
    assert_eq!(day["mimeType"], "application/json");
}

#[tokio::test]
async fn unknown_uris_get_the_error_of_their_era() {
    let library = ("library://books/99", -32002, Client::library().await);
    let observatory = ("observatory://readings/cellar/2026-07-01", -32602, Client::observatory());
    for (uri, code, mut client) in [library, observatory] {
        let answer = client.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], code);
        assert_eq!(answer["error"]["data"]["uri"], uri);
    }
}

#[tokio::test]
async fn both_own_one_uri_and_one_prompt_and_answer_differently() {
    let mut library = Client::library().await;
    let mut observatory = Client::observatory();
    let [ours, theirs] =
        [library.read("demo://welcome").await, observatory.read("demo://welcome").await];
    assert_ne!(ours["text"], theirs["text"]);
    let greet = json!({"name": "greet"});
    let ours = library.result("prompts/get", greet.clone()).await;
    let theirs = observatory.result("prompts/get", greet).await;
    assert_ne!(ours["messages"], theirs["messages"]);
}

#[tokio::test]
async fn prompts_take_their_arguments_and_miss_the_required_ones() {
    let mut client = Client::library().await;
    let (rows, _) = client.pages("prompts/list", "prompts").await;
    assert!(names(&rows).contains(&"recommend_book"));
    let ask = |arguments: Value| json!({"name": "recommend_book", "arguments": arguments});
    for arguments in [json!({}), json!({"pages": "90"}), json!({"mood": ""}), json!({"mood": 3})] {
        assert_eq!(client.error_code("prompts/get", ask(arguments)).await, -32602);
    }
    let short = client.result("prompts/get", ask(json!({"mood": "rainy"}))).await;
    assert_eq!(short["messages"][1]["content"]["type"], "resource");
    let last = short["messages"][3]["content"]["text"].as_str().unwrap();
    assert!(last.contains("rainy") && !last.contains("pages"), "{last}");
    let long = client.result("prompts/get", ask(json!({"mood": "rainy", "pages": "90"}))).await;
    assert!(long["messages"][3]["content"]["text"].as_str().unwrap().contains("90 pages"));
    assert_eq!(client.error_code("prompts/get", json!({"name": "no_such"})).await, -32602);
}

#[tokio::test]
async fn a_prompt_without_arguments_renders_and_one_carries_a_picture() {
    let mut client = Client::library().await;
    let (rows, _) = client.pages("prompts/list", "prompts").await;
    let row = rows.iter().find(|row| row["name"] == "tidy_the_notice_board").unwrap();
    assert!(row.get("arguments").is_none());
    client.result("prompts/get", json!({"name": "tidy_the_notice_board"})).await;
    let result = client.result("prompts/get", json!({"name": "describe_bookplate"})).await;
    assert_eq!(result["messages"][0]["content"]["type"], "image");
    assert_eq!(result["messages"][0]["content"]["mimeType"], "image/png");
}

#[tokio::test]
async fn tools_state_their_effects_and_answer() {
    let mut library = Client::library().await;
    let (rows, _) = library.pages("tools/list", "tools").await;
    assert_eq!(names(&rows), ["search_catalogue", "reserve_book", "recatalogue", "show_bookplate"]);
    assert_eq!(rows[0]["annotations"]["readOnlyHint"], true);
    assert_eq!(rows[1]["annotations"]["destructiveHint"], true);
    let call = json!({"name": "search_catalogue", "arguments": {"query": "FOX"}});
    let found = library.result("tools/call", call).await;
    assert!(found["content"][0]["text"].as_str().unwrap().starts_with("4. Stories"));
    let call = json!({"name": "reserve_book", "arguments": {"id": 99}});
    assert_eq!(library.result("tools/call", call).await["isError"], true);
    assert_eq!(library.error_code("tools/call", json!({"name": "no_such"})).await, -32602);

    let (rows, _) = Client::observatory().pages("tools/list", "tools").await;
    assert_eq!(
        names(&rows),
        [
            "read_sensors",
            "point_telescope",
            "erase_plates",
            "develop_plates",
            "plan_night",
            "wake_the_owl",
            "choose_folder"
        ]
    );
}

#[tokio::test]
async fn hidden_characters_arrive_as_they_are() {
    let mut client = Client::library().await;
    let (rows, _) = client.pages("resources/list", "resources").await;
    let row = rows.iter().find(|row| row["uri"] == "library://notes/margin").unwrap();
    assert!(row["name"].as_str().unwrap().contains('\u{202E}'));
    assert!(row["description"].as_str().unwrap().contains('\u{1B}'));
    let note = client.read("library://notes/margin").await;
    let note = note["text"].as_str().unwrap();
    for hidden in ['\u{1B}', '\u{07}', '\u{200B}', '\u{200D}', '\u{202E}', '\u{E0049}'] {
        assert!(note.contains(hidden), "{hidden:?}");
    }
}

#[tokio::test]
async fn a_server_ends_with_its_pipe_before_and_after_the_handshake() {
    for server in servers() {
        let (pipe, task) = server.start();
        drop(pipe);
        task.await.unwrap();

        let (mut pipe, task) = server.start();
        let mut params = initialize("2025-11-25");
        params["_meta"] = modern_meta();
        let method = if server.name == "library" { "initialize" } else { "tools/list" };
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        pipe.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        BufReader::new(&mut pipe).read_line(&mut answer).await.unwrap();
        assert!(answer.contains("\"result\""), "{answer}");
        assert!(!task.is_finished());
        drop(pipe);
        task.await.unwrap();
    }
}

#[tokio::test]
async fn instances_are_independent() {
    let mut first = Client::library().await;
    // The second has not shaken hands, which the first does not notice.
    let mut second = Client::new("library");
    assert_eq!(second.error_code("tools/list", json!({})).await, -32602);
    drop(second);
    assert_eq!(first.pages("tools/list", "tools").await.0.len(), 4);
}
