import { espPath } from './esp-paths.ts'
import { createGunzip } from 'node:zlib'
import { EmmaError } from '@emma/contract/errors.ts'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import websocket from '@fastify/websocket'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { tellLimits } from './caller-limit.ts'
import { presentError } from './present-error.ts'
import { watchBodies } from './watch-bodies.ts'

/** The web application with what all paths share: limits, headers, compression both ways, one form of errors. */
export async function createApp(config: Config, logger: Logger): Promise<FastifyInstance> {
  const shared: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance: shared,
    logController: new LogController({ disableRequestLogging: true }),
    // Counts what comes out of a packed body; uploads stream and have their own bounds.
    bodyLimit: config.bodyLimit,
    trustProxy: 'loopback',
    rewriteUrl: request => espPath(withLocales(plainColons(request.url ?? '/'))),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestTimeout: 0,
  })
  app.server.headersTimeout = 60_000
  watchBodies(app)
  app.setErrorHandler(presentError)
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        // Mantine sets sizes and colours as inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        connectSrc: ["'self'", 'ws:', 'wss:', ...sentryOrigin(config)],
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
    errorResponseBuilder: () => new EmmaError('too_many'),
  })
  await app.register(multipart, {
    limits: { files: 10, fields: 20, fieldSize: 1_000_000, fileSize: 20 * 1024 ** 3 },
  })
  await app.register(websocket, { options: { maxPayload: 64 * 1024, perMessageDeflate: false } })
  tellLimits(app)
  unpackBodies(app)
  return app
}

function sentryOrigin({ sentryDsn }: Config): string[] {
  return sentryDsn === undefined ? [] : [new URL(sentryDsn).origin]
}

/** The router takes a verb's colon only as it is; clients may send it encoded (T16). Queries stay as they are. */
function plainColons(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replaceAll(/%3a/gi, ':'), ...query].join('?')
}

/** i18next's backends ask at the root unless told otherwise (R296). */
function withLocales(url: string): string {
  return url.startsWith('/locales/') ? `/api${url}` : url
}

/** Accepts gzip bodies (R162). The body limit counts what comes out, so a bomb ends as 413. */
function unpackBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return payload
    if (encoding !== 'gzip')
      throw new EmmaError('unsupported_media', `Content-Encoding ${encoding} is not understood`)
    delete request.headers['content-encoding']
    delete request.headers['content-length']
    const gunzip = createGunzip()
    payload.on('error', error => gunzip.destroy(error))
    gunzip.on('error', error =>
      Object.assign(error, { statusCode: 400, message: `The gzip body is broken (${error.message})` }),
    )
    return payload.pipe(gunzip)
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(text)))
    } catch {
      done(new EmmaError('bad_request', 'The body is not valid JSON'))
    }
  })
}
