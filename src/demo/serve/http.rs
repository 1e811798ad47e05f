//! Streamable HTTP on loopback.

use super::answer::Answer;
use crate::demo::{DemoServer, handler::Answers, servers};
use hyper::{
    Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use std::{
    convert::Infallible,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

/// Connections at one time; further ones wait to be accepted.
const CONNECTIONS: usize = 256;

/// After this long without a message a session is forgotten.
const SESSION_IDLE: Duration = Duration::from_secs(60 * 60);

/// How long open connections may take to end, once the server is told to.
const GRACE: Duration = Duration::from_millis(500);

/// How long to wait after the system could not accept a connection, so that a lack of
/// descriptors does not become a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Pages of a browser that may ask: those that this very machine serves. Requests without an
/// `Origin` come from no page.
const ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// The path of the server that was asked for.
const MAIN_PATH: &str = "mcp";

type Service = StreamableHttpService<Answers, LocalSessionManager>;

/// One server under the path of its address.
#[derive(Clone)]
struct Route {
    path: &'static str,
    server: DemoServer,
    service: Service,
}

/// Both embedded servers behind one port of loopback, one of them also under `/mcp`.
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    routes: Arc<[Route]>,
    ended: CancellationToken,
}

impl HttpServer {
    /// Takes the port, so that clients can connect from now on; 0 takes any that is free.
    ///
    /// # Errors
    /// Those of the system, such as a port that is in use.
    pub async fn bind(main: DemoServer, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let ended = CancellationToken::new();
        let named = servers().into_iter().map(|server| (server.name, server));
        let routes = std::iter::once((MAIN_PATH, main))
            .chain(named)
            .map(|(path, server)| Route { path, server, service: service(server, &ended) })
            .collect();
        Ok(Self { listener, address, routes, ended })
    }

    /// Each server's name and address, the one that was asked for first.
    pub fn addresses(&self) -> Vec<(&'static str, String)> {
        let address =
            |route: &Route| (route.server.name, format!("http://{}/{}", self.address, route.path));
        self.routes.iter().map(address).collect()
    }

    /// Serves until `end` is done, then ends what is open and gives back what `end` gave.
    pub async fn serve<T>(self, end: impl Future<Output = T>) -> T {
        let mut connections = JoinSet::new();
        let mut end = std::pin::pin!(end);
        let told = loop {
            tokio::select! {
                biased;
                told = &mut end => break told,
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if connections.len() < CONNECTIONS => {
                    match accepted {
                        Ok((stream, _)) => {
                            let routes = self.routes.clone();
                            connections.spawn(serve_connection(stream, routes, self.ended.clone()));
                        }
                        Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                    }
                }
            }
        };
        self.ended.cancel();
        let all_ended = async { while connections.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(GRACE, all_ended).await;
        connections.shutdown().await;
        told
    }
}

fn service(server: DemoServer, ended: &CancellationToken) -> Service {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SESSION_IDLE);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(ORIGINS)
        .with_cancellation_token(ended.clone());
    let collection = server.collection;
    StreamableHttpService::new(move || Ok(Answers::new(collection)), Arc::new(sessions), config)
}

async fn serve_connection(stream: TcpStream, routes: Arc<[Route]>, ended: CancellationToken) {
    let answer = service_fn(move |request| answer(routes.clone(), request));
    let mut http = http1::Builder::new();
    let connection = http.timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), answer);
    let mut connection = std::pin::pin!(connection);
    // An error here is a client that left or that speaks no HTTP; nobody else is listening.
    tokio::select! {
        _ = &mut connection => {}
        () = ended.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

async fn answer(
    routes: Arc<[Route]>,
    request: Request<Incoming>,
) -> Result<
    Response<Answer<impl hyper::body::Body<Data = bytes::Bytes, Error = Infallible> + Unpin>>,
    Infallible,
> {
    let path = request.uri().path().trim_start_matches('/').trim_end_matches('/');
    Ok(match routes.iter().find(|route| route.path == path) {
        Some(route) => route.service.handle(request).await.map(|body| Answer(Some(body))),
        None => {
            let mut nobody = Response::new(Answer(None));
            *nobody.status_mut() = StatusCode::NOT_FOUND;
            nobody
        }
    })
}
