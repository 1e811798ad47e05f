//! Answers the protocol's requests from a [`Collection`].

use super::collection::{Arguments, Collection};
use super::convert;
use super::pages::page;
use crate::domain::Era;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientNotification, ClientRequest,
    ContentBlock, DiscoverRequestMethod, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext};
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
#[derive(Debug, Clone, Copy)]
pub(super) struct OneEra(pub(super) &'static Collection);

impl Service<RoleServer> for OneEra {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        if self.0.era == Era::Legacy && matches!(request, ClientRequest::DiscoverRequest(_)) {
            return Err(ErrorData::method_not_found::<DiscoverRequestMethod>());
        }
        Answers(self.0).handle_request(request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Answers(self.0).handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&Answers(self.0))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        ServerHandler::supported_protocol_versions(&Answers(self.0))
    }
}

/// The answers themselves, in whichever era.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers(pub(super) &'static Collection);

impl ServerHandler for Answers {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_resources()
            .enable_prompts()
            .enable_tools()
            .build();
        let version = match self.0.era {
            Era::Legacy => ProtocolVersion::V_2025_11_25,
            Era::Modern => ProtocolVersion::V_2026_07_28,
        };
        ServerConfig::new(capabilities)
            .with_protocol_version(version)
            .with_server_info(
                Implementation::new(self.0.name, env!("CARGO_PKG_VERSION"))
                    .with_title(self.0.title),
            )
            .with_instructions(self.0.instructions)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(match self.0.era {
            Era::Legacy => LEGACY,
            Era::Modern => MODERN,
        })
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (rows, next) = page("resources", self.0.resources, self.0.page_size, request)?;
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
        let (rows, next) = page("templates", self.0.templates, self.0.page_size, request)?;
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
        let listed = self.0.resources.iter().find(|row| row.uri == uri);
        let contents = listed
            .map(convert::contents)
            .or_else(|| {
                self.0.templates.iter().find_map(|row| convert::expanded_contents(row, &uri))
            })
            // The SDK turns this into -32602 for a modern client, as its version wants.
            .ok_or_else(|| {
                ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))
            })?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let (rows, next) = page("prompts", self.0.prompts, self.0.page_size, request)?;
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
        let row = self.0.prompts.iter().find(|row| row.name == request.name).ok_or_else(|| {
            ErrorData::invalid_params("Unknown prompt", Some(json!({ "name": request.name })))
        })?;
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
        let (rows, next) = page("tools", self.0.tools, self.0.page_size, request)?;
        let tools = rows.iter().map(convert::tool).collect::<Result<_, _>>()?;
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next;
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let row = self.0.tools.iter().find(|row| row.name == request.name).ok_or_else(|| {
            ErrorData::invalid_params("Unknown tool", Some(json!({ "name": request.name })))
        })?;
        let result = match (row.call)(&Arguments(request.arguments.as_ref())) {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        };
        Ok(result.into())
    }
}
