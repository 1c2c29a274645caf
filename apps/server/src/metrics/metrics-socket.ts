import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'

/**
 * Serves the metrics of a role on a Unix socket in the data folder, accessible only to this user: `/metrics` as text,
 * `/metrics.json` for the API, which combines all roles (mount-metrics.ts).
 */
export async function serveMetrics(
  config: Config,
  role: string,
  registry: Registry,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const folder = socketFolder(config)
  const path = join(folder, `metrics-${role}.sock`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  const server = createServer((asked, answer) => {
    const isJson = asked.url === '/metrics.json'
    const read = isJson
      ? registry.getMetricsAsJSON().then(metrics => JSON.stringify(metrics))
      : registry.metrics()
    read.then(
      text =>
        answer
          .writeHead(200, { 'content-type': isJson ? 'application/json' : registry.contentType })
          .end(text),
      () => answer.writeHead(500).end(),
    )
  })
  // If the path is too long for a socket, or the file system has none, the role runs without metrics.
  server.on('error', error => logger.warn({ err: error }, 'the metrics of this role are not available'))
  server.listen(path)
  server.unref()
  return {
    async stop() {
      server.close()
      server.closeAllConnections()
      rmSync(path, { force: true })
    },
  }
}

/** Reads the metrics of every role that runs on this machine and data folder. */
export async function readRoleMetrics(config: Config): Promise<object[][]> {
  const folder = socketFolder(config)
  const names = safeList(folder).filter(name => name.endsWith('.sock'))
  const answers = await Promise.all(names.map(name => ask(join(folder, name)).catch(() => [])))
  return answers.filter(metrics => metrics.length > 0)
}

function socketFolder(config: Config): string {
  return join(config.dataFolder, 'run')
}

function safeList(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const metricList = z.array(z.looseObject({}))

function ask(socketPath: string): Promise<object[]> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/metrics.json', timeout: 2_000 }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        try {
          resolve(metricList.parse(JSON.parse(Buffer.concat(chunks).toString())))
        } catch (error) {
          reject(error)
        }
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', reject)
    asked.end()
  })
}
