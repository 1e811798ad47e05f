//! Tools that take their time, fail, ask, or answer with more than a text.

use super::*;
use crate::demo::work::STEP;
use crate::schema::Checker;

fn arguments(name: &str, arguments: Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

impl Client {
    /// Sends a call that wants to know how it goes. Gives its id.
    async fn call_slowly(&mut self, name: &str, given: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        let mut params = arguments(name, given);
        let mut meta = self.meta.clone().unwrap_or_else(|| json!({}));
        meta["progressToken"] = json!("t");
        params["_meta"] = meta;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
            .await;
        id
    }

    async fn line(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().expect("a line before the end");
        serde_json::from_str(&line).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn slow_tools_tell_of_each_step_and_end_when_cancelled() {
    let library = ("recatalogue", json!({"seconds": 1}), 4, Client::library().await);
    let observatory = ("develop_plates", json!({"plates": 3}), 3, Client::observatory());
    for (name, given, count, mut client) in [library, observatory] {
        let id = client.call_slowly(name, given).await;
        for n in 1..=count {
            let told = client.line().await;
            assert_eq!(told["method"], "notifications/progress", "{told}");
            assert_eq!(told["params"]["progressToken"], "t");
            assert_eq!(told["params"]["progress"].as_f64(), Some(f64::from(n)));
            assert_eq!(told["params"]["total"].as_f64(), Some(f64::from(count)));
            assert!(told["params"]["message"].is_string());
        }
        let answer = client.line().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(false)));

        let id = client.call_slowly(name, json!({})).await;
        client.line().await;
        let meta = client.meta.clone().unwrap_or_else(|| json!({}));
        let params = json!({"requestId": id, "_meta": meta});
        client
            .write(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
            )
            .await;
        // At most the step that was being told of still comes.
        let mut after = 0;
        while let Ok(line) = tokio::time::timeout(STEP * 50, client.lines.next_line()).await {
            let line: Value = serde_json::from_str(&line.unwrap().unwrap()).unwrap();
            assert!(line.get("result").is_none(), "{line}");
            after += 1;
        }
        assert!(after < 3, "{after} lines after the end");
    }
}

#[tokio::test]
async fn a_slow_tool_refuses_what_it_has_no_time_for() {
    let mut client = Client::library().await;
    for seconds in [json!(0), json!(61), json!(-1), json!("5")] {
        let call = arguments("recatalogue", json!({"seconds": seconds}));
        assert_eq!(client.result("tools/call", call).await["isError"], true, "{seconds}");
    }
}

#[tokio::test]
async fn structured_answers_agree_with_their_schema() {
    let mut client = Client::observatory();
    let (rows, _) = client.pages("tools/list", "tools").await;
    let row = rows.iter().find(|row| row["name"] == "plan_night").unwrap();
    let input = Checker::new(row["inputSchema"].as_object().unwrap()).unwrap();
    let output = Checker::new(row["outputSchema"].as_object().unwrap()).unwrap();
    for given in [
        json!({"observer": "Ada", "date": "2026-07-01"}),
        json!({"observer": "Ada", "date": "2026-07-01", "hours": 2.5, "dome": "south",
               "tea": false, "targets": ["Vega", "Lyra"], "site": {"station": "summit"},
               "remark": null}),
        json!({"observer": "Ada", "date": "2026-07-01", "targets": []}),
    ] {
        assert_eq!(input.check(&given), Ok(Vec::new()), "{given}");
        let result = client.result("tools/call", arguments("plan_night", given)).await;
        let structured = &result["structuredContent"];
        assert_eq!(output.check(structured), Ok(Vec::new()), "{structured}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *structured);
    }
    let result = client.result("tools/call", arguments("plan_night", json!({}))).await;
    assert_eq!(result["isError"], true);
}

#[tokio::test]
async fn the_bookplate_comes_in_blocks_of_every_kind_and_its_links_open() {
    let mut client = Client::library().await;
    let result = client.result("tools/call", arguments("show_bookplate", json!({}))).await;
    let blocks = result["content"].as_array().unwrap();
    let kinds: Vec<&str> = blocks.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["text", "resource_link", "resource", "image"]);
    let (rows, _) = client.pages("resources/list", "resources").await;
    let (link, embedded) = (&blocks[1]["uri"], &blocks[2]["resource"]["uri"]);
    assert!(rows.iter().any(|row| row["uri"] == *link), "{link}");
    assert!(!rows.iter().any(|row| row["uri"] == *embedded), "{embedded}");
    for uri in [link, embedded] {
        client.read(uri.as_str().unwrap()).await;
    }
}

#[tokio::test]
async fn the_owl_says_itself_that_it_failed() {
    let mut client = Client::observatory();
    let result = client.result("tools/call", arguments("wake_the_owl", json!({}))).await;
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("asleep"));
}

#[tokio::test]
async fn roots_are_asked_for_in_a_round_where_the_client_shares_them() {
    let mut client = Client::observatory();
    let refused = client.result("tools/call", arguments("choose_folder", json!({}))).await;
    assert_eq!(refused["isError"], true);

    let meta = client.meta.as_mut().unwrap();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"roots": {}});
    let asked = client.result("tools/call", arguments("choose_folder", json!({}))).await;
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked["inputRequests"]["roots"]["method"], "roots/list");
    for (roots, says) in [
        (json!([{"uri": "file:///home/ada"}, {"uri": "file:///tmp"}]), "Of 2 shared"),
        (json!([]), "You share no folders"),
    ] {
        let mut call = arguments("choose_folder", json!({}));
        call["inputResponses"] = json!({"roots": {"roots": roots}});
        call["requestState"] = asked["requestState"].clone();
        let answer = client.result("tools/call", call).await;
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with(says), "{text}");
    }
}
