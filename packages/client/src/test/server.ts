import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as received by the test server. */
export interface Received {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface TestServer {
  apiHost: string
  calls: Received[]
  close(): Promise<void>
}

/**
 * Starts an HTTP server on a free port that records its calls and returns given responses, for tests of this package.
 */
export async function startTestServer(
  answer: (call: Received, response: ServerResponse) => void,
): Promise<TestServer> {
  const calls: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const call = { method, url, headers, body: Buffer.concat(chunks) }
    calls.push(call)
    answer(call, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    apiHost: `http://127.0.0.1:${port}`,
    calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
