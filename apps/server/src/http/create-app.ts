import { espPath } from './path-aliases.ts'
import { socketProtocol } from '@emma/contract/socket.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import websocket from '@fastify/websocket'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { addressGroup } from '../network/address-group.ts'
import { API_LIMITS, SOCKET_LIMITS } from '../network/limits.ts'
import { presentError } from './present-error.ts'
import { limitSlowBodies } from './slow-body-timeout.ts'

/** Creates the web application with what all paths share: limits, headers, compression, error format. */
export async function createApp(config: Config, logger: Logger): Promise<FastifyInstance> {
  const shared: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance: shared,
    logController: new LogController({ disableRequestLogging: true }),
    // For paths without a limit of their own, including unknown ones.
    bodyLimit: API_LIMITS.publicBodyBytes,
    trustProxy: config.isTrustedProxy,
    rewriteUrl: request => espPath(withLocales(plainColons(request.url ?? '/'))),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout: 0,
    http: {
      maxHeaderSize: API_LIMITS.headerBytes,
      headersTimeout: API_LIMITS.headersTimeoutMs,
      connectionsCheckingInterval: 5_000,
    },
  })
  limitSlowBodies(app)
  app.setErrorHandler(presentError)
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // Mantine sets sizes and colours as inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Previews inherit this policy and show images of messages, from any host.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', new URL(config.trackingUrl).origin],
        // The socket's origin is included for browsers whose 'self' covers http only.
        connectSrc: ["'self'", socketOrigin(config), ...sentryOrigin(config)],
        frameSrc: ["'self'", 'blob:', 'data:'],
        objectSrc: ["'none'"],
        upgradeInsecureRequests: config.publicUrl.startsWith('https:') ? [] : null,
      },
    },
    hsts: config.publicUrl.startsWith('https:'),
  })
  await app.register(compress, { global: true, encodings: ['br', 'gzip'] })
  await app.register(rateLimit, {
    max: config.callsPerMinute.address,
    timeWindow: '1 minute',
    keyGenerator: ({ ip }) => addressGroup(ip),
    errorResponseBuilder: () => new EmmaError('too_many'),
  })
  await app.register(multipart, {
    limits: { files: 10, fields: 20, fieldSize: 1_000_000, fileSize: 20 * 1024 ** 3 },
  })
  await app.register(websocket, {
    options: {
      maxPayload: SOCKET_LIMITS.frameBytes,
      perMessageDeflate: false,
      handleProtocols: (offered: Set<string>) => offered.has(socketProtocol) && socketProtocol,
    },
  })
  return app
}

function socketOrigin({ publicUrl }: Config): string {
  return new URL(publicUrl).origin.replace(/^http/, 'ws')
}

function sentryOrigin({ sentryDsn }: Config): string[] {
  return sentryDsn === undefined ? [] : [new URL(sentryDsn).origin]
}

/** The router matches a verb's colon only unencoded; clients may encode it (T16). Queries stay unchanged. */
function plainColons(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replaceAll(/%3a/gi, ':'), ...query].join('?')
}

/** i18next's backends use the root by default (R296). */
function withLocales(url: string): string {
  return url.startsWith('/locales/') ? `/api${url}` : url
}
