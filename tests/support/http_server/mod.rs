//! A small HTTP/1.1 server for tests. It is written by hand and shares nothing with the program
//! under test, so that it can also do what no library lets a server do: dribble, stall, cut and lie.

mod out;
mod request;
mod rules;

pub(crate) use out::Out;
pub(crate) use request::Request;
pub(crate) use rules::{Rules, the_rules_can_fail};

use std::{future::Future, io, net::SocketAddr, sync::Arc};
use tokio::{
    io::BufReader,
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use tokio_util::sync::CancellationToken;

/// What answers requests.
pub(crate) trait Site: Send + Sync + 'static {
    /// Answers one request. An error ends the connection.
    fn answer(
        &self,
        request: &Request,
        out: &mut Out,
    ) -> impl Future<Output = io::Result<()>> + Send;
}

/// A server on loopback that runs until it is dropped, or until its token says so.
pub(crate) struct HttpServer {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl HttpServer {
    /// Listens and serves, inside the runtime of the test. `down` ends it at once, with every
    /// connection, as the end of a process would.
    pub(crate) fn start(site: Arc<impl Site>, down: CancellationToken) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a listener");
        let address = listener.local_addr().expect("an address");
        let task = tokio::spawn(async move {
            let listener = TcpListener::from_std(listener).expect("a listener");
            let _ = down.run_until_cancelled(accept(listener, site)).await;
        });
        Self { address, task }
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, site: Arc<impl Site>) {
    // Dropping the set ends every connection.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => {
                let (stream, _) = accepted.expect("a connection");
                connections.spawn(converse(stream, site.clone()));
            }
        }
    }
}

/// Takes request after request, until one end closes the connection.
async fn converse(stream: TcpStream, site: Arc<impl Site>) -> io::Result<()> {
    // Pieces that are written apart must leave apart.
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = Request::read(&mut stream).await? {
        let mut out = Out::new(stream);
        site.answer(&request, &mut out).await?;
        match out.into_next() {
            Some(next) => stream = next,
            None => return Ok(()),
        }
    }
    Ok(())
}
