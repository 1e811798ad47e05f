//! The legacy road: what a server asks of us, by request.

use super::{roots, tap::Tap};
use crate::{
    domain::{Era, Origin, SamplingRequest, ServerSpec},
    sampling::{Gate, SamplingError},
};
use rmcp::{
    RoleClient,
    model::{
        ClientCapabilities, ClientResult, CustomResult, ErrorCode, ErrorData, Implementation,
        InitializeRequestParams, ProtocolVersion, ServerNotification, ServerRequest,
    },
    service::{NotificationContext, RequestContext, Service},
};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::watch;

/// Answers a server's requests. One for each connection.
#[derive(Clone)]
pub(super) struct Handler {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) gate: Gate,
    pub(super) tap: Arc<Tap>,
    /// How many asks of this server wait for a person right now; timers pause while it is not 0.
    pub(super) asking: Arc<watch::Sender<usize>>,
}

/// Counts an ask for as long as it lives.
pub(super) struct Asking(Arc<watch::Sender<usize>>);

impl Asking {
    pub(super) fn begin(asking: &Arc<watch::Sender<usize>>) -> Self {
        asking.send_modify(|n| *n += 1);
        Self(asking.clone())
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n = n.saturating_sub(1));
    }
}

/// How we introduce ourselves.
fn client_info(gate: &Gate, spec: &ServerSpec) -> InitializeRequestParams {
    let mut capabilities = ClientCapabilities::default();
    if gate.is_open()
        && let Ok(sampling) = serde_json::from_value(json!({}))
    {
        capabilities.sampling = sampling;
    }
    // They are read with the settings, and do not change while the program runs.
    if !spec.roots.is_empty()
        && let Ok(roots) = serde_json::from_value(json!({}))
    {
        capabilities.roots = roots;
    }
    let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    InitializeRequestParams::new(capabilities, name)
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
}

impl Handler {
    async fn sample(
        &self,
        params: Option<Value>,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        let Some(service) = self.gate.service() else {
            self.tap.logs.breach("the server asked for something that was never offered");
            return Err(not_found("sampling/createMessage"));
        };
        let raw = match params {
            Some(Value::String(raw)) => raw,
            _ => {
                return Err(ErrorData::invalid_params(
                    "sampling/createMessage without params",
                    None,
                ));
            }
        };
        let request: SamplingRequest = serde_json::from_str(&raw).map_err(|error| {
            self.tap.logs.breach("the server sent a sampling request that the protocol forbids");
            ErrorData::invalid_params(format!("not a sampling request: {error}"), None)
        })?;
        let origin = Origin {
            server: self.spec.id.clone(),
            era: Era::Legacy,
            call: None,
            round: None,
            key: None,
        };
        let _asking = Asking::begin(&self.asking);
        // Dropping the service's future is withdrawal; there is no other way.
        tokio::select! {
            answer = service.sample(request, origin) => match answer {
                Ok(disclosure) => {
                    Ok(ClientResult::CustomResult(CustomResult(disclosure.into_value())))
                }
                Err(error) => Err(rpc_error(&error)),
            },
            () = context.ct.cancelled() => Err(withdrawn()),
            () = self.tap.gone.cancelled() => Err(withdrawn()),
        }
    }
}

fn withdrawn() -> ErrorData {
    // Never sent: whoever asked has withdrawn or is gone.
    ErrorData::new(ErrorCode(-1), "withdrawn", None)
}

fn not_found(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("{method} is not offered here"), None)
}

fn rpc_error(error: &SamplingError) -> ErrorData {
    let data = json!({"kind": error.kind, "stage": error.stage});
    ErrorData::new(ErrorCode(error.code()), error.message(), Some(data))
}

impl Service<RoleClient> for Handler {
    async fn handle_request(
        &self,
        request: ServerRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        match request {
            ServerRequest::PingRequest(_) => Ok(ClientResult::empty(())),
            ServerRequest::CustomRequest(request) => match request.method.as_str() {
                "sampling/createMessage" => self.sample(request.params, context).await,
                roots::METHOD if !self.spec.roots.is_empty() => {
                    let answer = roots::answer(&self.spec.roots);
                    Ok(ClientResult::CustomResult(CustomResult(answer)))
                }
                other => {
                    self.tap.logs.breach("the server asked for something that was never offered");
                    Err(not_found(other))
                }
            },
            // The transport hands every other request up as a custom one.
            ServerRequest::CreateMessageRequest(_)
            | ServerRequest::ListRootsRequest(_)
            | ServerRequest::ElicitRequest(_) => Err(not_found("this request")),
            _ => Err(not_found("this request")),
        }
    }

    async fn handle_notification(
        &self,
        _notification: ServerNotification,
        _context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        // Notifications are noted by the transport, in order.
        Ok(())
    }

    fn get_info(&self) -> InitializeRequestParams {
        client_info(&self.gate, &self.spec)
    }
}
