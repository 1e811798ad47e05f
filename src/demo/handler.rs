//! Answers the protocol's requests from a [`Collection`].

use super::collection::{Arguments, Collection};
use super::convert;
use super::live::{self, Watched};
use super::pages::page;
use super::propose::propose;
use super::work;
use crate::domain::Era;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientNotification, ClientRequest,
    CompleteRequestParams, CompleteResult, DiscoverRequestMethod, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, ServerResult, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, Service};
use serde_json::json;
use std::borrow::Cow;

/// The versions of the legacy era, oldest first.
const LEGACY: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
];

/// The versions of the modern era.
const MODERN: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];

/// A server that speaks one era only.
///
/// The SDK's server speaks both. Narrowing its versions makes the modern one refuse
/// `initialize` (with -32022, after which the SDK ends the conversation), but a narrowed
/// legacy one would answer `server/discover` with -32022 too, as if it knew that method.
/// A true legacy server says -32601, so this wrapper says it before the SDK looks.
#[derive(Debug, Clone)]
pub(super) struct OneEra(Answers);

impl OneEra {
    /// A fresh instance.
    pub(super) fn new(collection: &'static Collection) -> Self {
        Self(Answers::new(collection))
    }
}

impl Service<RoleServer> for OneEra {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        if self.0.collection.era == Era::Legacy
            && matches!(request, ClientRequest::DiscoverRequest(_))
        {
            return Err(ErrorData::method_not_found::<DiscoverRequestMethod>());
        }
        self.0.handle_request(request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        ServerHandler::supported_protocol_versions(&self.0)
    }
}

/// The answers themselves, in whichever era.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    collection: &'static Collection,
    watched: Watched,
}

impl Answers {
    pub(super) fn new(collection: &'static Collection) -> Self {
        Self { collection, watched: Watched::default() }
    }
}

impl ServerHandler for Answers {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_completions()
            .enable_prompts()
            .enable_tools()
            .build();
        let version = match self.collection.era {
            Era::Legacy => ProtocolVersion::V_2025_11_25,
            Era::Modern => ProtocolVersion::V_2026_07_28,
        };
        ServerConfig::new(capabilities)
            .with_protocol_version(version)
            .with_server_info(
                Implementation::new(self.collection.name, env!("CARGO_PKG_VERSION"))
                    .with_title(self.collection.title),
            )
            .with_instructions(self.collection.instructions)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(match self.collection.era {
            Era::Legacy => LEGACY,
            Era::Modern => MODERN,
        })
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (rows, next) =
            page("resources", self.collection.resources, self.collection.page_size, request)?;
        let mut result =
            ListResourcesResult::with_all_items(rows.iter().map(convert::resource).collect());
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let (rows, next) =
            page("templates", self.collection.templates, self.collection.page_size, request)?;
        let mut result = ListResourceTemplatesResult::with_all_items(
            rows.iter().map(convert::template).collect(),
        );
        result.next_cursor = next;
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let listed = self.collection.resources.iter().find(|row| row.uri == uri);
        let contents = listed
            .map(convert::contents)
            .or_else(|| {
                self.collection
                    .templates
                    .iter()
                    .find_map(|row| convert::expanded_contents(row, &uri))
            })
            // The SDK turns this into -32602 for a modern client, as its version wants.
            .ok_or_else(|| {
                ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))
            })?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        propose(self.collection, &request).map(CompleteResult::new)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watched.watch(self.collection, &request.uri, context.peer)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watched.forget(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(live::accepted(self.collection, requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        live::listen(self.collection, context).await;
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let (rows, next) =
            page("prompts", self.collection.prompts, self.collection.page_size, request)?;
        let mut result =
            ListPromptsResult::with_all_items(rows.iter().map(convert::prompt).collect());
        result.next_cursor = next;
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let row = self.collection.prompts.iter().find(|row| row.name == request.name).ok_or_else(
            || ErrorData::invalid_params("Unknown prompt", Some(json!({ "name": request.name }))),
        )?;
        let arguments = Arguments(request.arguments.as_ref());
        let missing: Vec<&str> = row
            .arguments
            .iter()
            .filter(|argument| argument.required && arguments.text(argument.name).is_none())
            .map(|argument| argument.name)
            .collect();
        if !missing.is_empty() {
            return Err(ErrorData::invalid_params(
                format!("Missing required arguments: {}", missing.join(", ")),
                Some(json!({ "missing": missing })),
            ));
        }
        let messages = (row.render)(&arguments).into_iter().map(convert::message).collect();
        Ok(GetPromptResult::new(messages).with_description(row.description).into())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (rows, next) =
            page("tools", self.collection.tools, self.collection.page_size, request)?;
        let tools = rows.iter().map(convert::tool).collect::<Result<_, _>>()?;
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next;
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let row =
            self.collection.tools.iter().find(|row| row.name == request.name).ok_or_else(|| {
                ErrorData::invalid_params("Unknown tool", Some(json!({ "name": request.name })))
            })?;
        work::call(row, request, context).await
    }
}
