import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isIP } from 'node:net'
import { z } from 'zod'
import { type IsRelay, parseRelays } from './network/relays.ts'
import { type IsTrustedProxy, LOOPBACK_NETWORKS, parseProxies } from './network/trusted-proxies.ts'
import type { Bucket } from './files/s3-storage.ts'
import { type DeriveKey, openSecret } from './secret-key.ts'

export type Config = {
  /** Address that console, API and tracking listen on. */
  host: string
  /** Address that the SMTP server for bounces listens on. */
  inboundHost: string
  /** Port of console and API. */
  port: number
  trackingPort: number
  inboundPort: number
  testbedSmtpPort: number
  testbedDnsPort: number
  /** Port of the embedded database; another free one is used if it is taken. */
  databasePort: number
  /** Port and address of the SMTP server for programs that send transactional emails. */
  submissionPort: number
  submissionHost: string
  /** Files of its key and certificate, PEM; undefined: no TLS, for programs on this machine. */
  submissionTls: { keyFile: string; certFile: string } | undefined
  /** Absolute path of the data folder. */
  dataFolder: string
  /** The operator's PostgreSQL; undefined for the embedded one. */
  databaseUrl: string | undefined
  /** Public URL of the console, without a trailing slash. */
  publicUrl: string
  /** Base URL of links in messages, without a trailing slash. */
  trackingUrl: string
  /** Absolute path of the built console. */
  consoleFolder: string
  /** Number of engine processes on this machine. */
  engines: number
  /** Path of the Chromium that draws pictures of mails, or a path without one; undefined: searched. */
  chromium: string | undefined
  /** Bucket for the files of the file manager; undefined: the data folder. */
  bucket: Bucket | undefined
  /** Password of the first account, used on the first start. */
  adminPassword: string | undefined
  /** A translation service with the API of LibreTranslate (R303); undefined: translation memory only. */
  translateUrl: string | undefined
  translateKey: string | undefined
  /** Error reports of the console (R021); undefined: this server's log. */
  sentryDsn: string | undefined
  /** Allows webhooks to this machine and without TLS, for development and tests. */
  webhookLoopback: boolean
  /** Private relays that mail classes may use. */
  isRelay: IsRelay
  /** Allows a sign-in provider at a private address. */
  allowPrivateIssuer: boolean
  /** The writing service may have a private address or use plain HTTP. */
  allowPrivateWriting: boolean
  /** Proxies whose `X-Forwarded-For` is trusted. */
  isTrustedProxy: IsTrustedProxy
  /** The same as configured, for messages. */
  trustedProxies: readonly string[]
  /**
   * Maximum bytes of a JSON body, for actions that accept large ones; uploads are streamed and have their own limit.
   */
  bodyLimit: number
  /** Calls per minute of a user or API token, and of one IP address. */
  callsPerMinute: { caller: number; address: number }
  /** Seconds that sessions and datasource columns are cached; 0 disables the cache. */
  keptSeconds: number
  /** Bearer token for /metrics; without one, only this machine may read it. */
  metricsToken: string | undefined
  environment: 'development' | 'production' | 'test'
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Name of this machine among those that share the database. */
  node: string
  /** Derives a key per purpose from the installation's secret. */
  deriveKey: DeriveKey
}

/** Thrown for an invalid environment; the message names each variable with its fault. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Environment = Record<string, string | undefined>

/**
 * Reads the configuration from the environment. Creates the data folder and its secret key on the first start.
 * @throws ConfigError with all faults
 */
export function loadConfig(environment: Environment = process.env): Config {
  const given = parse(environment)
  const ports = {
    port: given.PORT,
    trackingPort: given.EMMA_TRACKING_PORT ?? given.PORT + 1,
    inboundPort: given.EMMA_INBOUND_PORT ?? given.PORT + 2,
    testbedSmtpPort: given.EMMA_TESTBED_SMTP_PORT ?? given.PORT + 3,
    testbedDnsPort: given.EMMA_TESTBED_DNS_PORT ?? given.PORT + 4,
    databasePort: given.EMMA_DATABASE_PORT ?? given.PORT + 5,
    submissionPort: given.EMMA_SUBMISSION_PORT ?? given.PORT + 6,
  }
  checkPorts(ports)
  const dataFolder = resolve(given.EMMA_DATA)
  return {
    ...ports,
    host: given.EMMA_HOST,
    inboundHost: given.EMMA_INBOUND_HOST,
    submissionHost: given.EMMA_SUBMISSION_HOST,
    submissionTls: submissionTlsOf(given),
    trustedProxies: given.EMMA_TRUSTED_PROXIES.list,
    isTrustedProxy: given.EMMA_TRUSTED_PROXIES.isTrusted,
    dataFolder,
    databaseUrl: given.DATABASE_URL,
    publicUrl: given.EMMA_PUBLIC_URL ?? `http://localhost:${ports.port}`,
    trackingUrl: given.EMMA_TRACKING_URL ?? `http://localhost:${ports.trackingPort}`,
    consoleFolder: resolve(
      given.EMMA_CONSOLE ?? fileURLToPath(new URL('../../console/dist', import.meta.url)),
    ),
    engines: given.EMMA_ENGINES,
    chromium: given.EMMA_CHROMIUM,
    bucket: bucketOf(given),
    adminPassword: given.EMMA_ADMIN_PASSWORD,
    webhookLoopback: given.EMMA_WEBHOOK_LOOPBACK,
    isRelay: given.EMMA_RELAYS,
    translateUrl: given.EMMA_TRANSLATE_URL,
    translateKey: given.EMMA_TRANSLATE_KEY,
    sentryDsn: given.EMMA_SENTRY_DSN,
    allowPrivateIssuer: given.EMMA_ALLOW_PRIVATE_ISSUER,
    allowPrivateWriting: given.EMMA_ALLOW_PRIVATE_WRITING_SERVICE,
    bodyLimit: given.EMMA_BODY_LIMIT_MB * 1024 * 1024,
    callsPerMinute: { caller: given.EMMA_CALLS_PER_MINUTE, address: given.EMMA_ADDRESS_CALLS_PER_MINUTE },
    keptSeconds: given.EMMA_KEPT_SECONDS,
    metricsToken: given.EMMA_METRICS_TOKEN,
    environment: given.NODE_ENV,
    logLevel: given.LOG_LEVEL,
    node: hostname(),
    deriveKey: openDataFolder(dataFolder, given.EMMA_SECRET),
  }
}

type Given = z.infer<typeof environmentSchema>

/** Keys must not be sent in the clear: beyond this machine, TLS is required. */
function submissionTlsOf(given: Given): Config['submissionTls'] {
  const { EMMA_SUBMISSION_TLS_KEY: keyFile, EMMA_SUBMISSION_TLS_CERT: certFile } = given
  if (keyFile && certFile) return { keyFile, certFile }
  if (keyFile || certFile)
    throw new ConfigError('EMMA_SUBMISSION_TLS_KEY and EMMA_SUBMISSION_TLS_CERT belong together')
  if (!/^(?:127\.[\d.]+|::1)$/.test(given.EMMA_SUBMISSION_HOST))
    throw new ConfigError(
      `EMMA_SUBMISSION_HOST is "${given.EMMA_SUBMISSION_HOST}", so programs elsewhere can reach it: set EMMA_SUBMISSION_TLS_KEY and EMMA_SUBMISSION_TLS_CERT`,
    )
  return undefined
}

function bucketOf(given: Given): Bucket | undefined {
  const {
    EMMA_S3_ENDPOINT: endpoint,
    EMMA_S3_BUCKET: bucket,
    EMMA_S3_ACCESS_KEY_ID: accessKeyId,
    EMMA_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = given
  if (endpoint && bucket && accessKeyId && secretAccessKey)
    return { endpoint, bucket, region: given.EMMA_S3_REGION, accessKeyId, secretAccessKey }
  if (endpoint || bucket || accessKeyId || secretAccessKey)
    throw new ConfigError(
      'A bucket needs EMMA_S3_ENDPOINT, EMMA_S3_BUCKET, EMMA_S3_ACCESS_KEY_ID and EMMA_S3_SECRET_ACCESS_KEY together',
    )
  return undefined
}

function openDataFolder(folder: string, secret?: string): DeriveKey {
  try {
    return openSecret(folder, secret)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `The data folder ${folder} cannot be used (${reason}). It must be writable by the user starting EMMA; name ` +
        'another one in EMMA_DATA, or start EMMA as the user it belongs to.',
    )
  }
}

const portMeaning = 'must be a port number between 1 and 65535'
const port = z.coerce.number(portMeaning).int(portMeaning).min(1, portMeaning).max(65_535, portMeaning)

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address such as https://mail.example.com' })
  .transform(url => url.replace(/\/+$/, ''))

const amountMeaning = 'must be a whole number, 1 or more'
const amount = z.coerce.number(amountMeaning).int(amountMeaning).min(1, amountMeaning)

const keptMeaning = 'must be a whole number from 0 to 60'

const listenAddress = z
  .string()
  .refine(text => isIP(text) !== 0, 'must be an IP address such as 127.0.0.1 or ::')
  .default('0.0.0.0')

const proxies = z
  .string()
  .default(LOOPBACK_NETWORKS.join(', '))
  .transform((text, context) => {
    const list = text === 'none' ? [] : text.split(',').map(entry => entry.trim())
    const isTrusted = parseProxies(list)
    if (isTrusted) return { list, isTrusted }
    context.addIssue('must be addresses or networks such as 10.0.0.5, 10.1.0.0/16, or "none"')
    return z.NEVER
  })

const relays = z
  .string()
  .default('')
  .transform((text, context) => {
    const isRelay = parseRelays(text === '' ? [] : text.split(',').map(entry => entry.trim()))
    if (isRelay) return isRelay
    context.addIssue('must be relays such as 10.0.0.5 or relay.internal:2526, with commas between')
    return z.NEVER
  })

const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform(value => value === 'true')

export const environmentSchema = z.object({
  EMMA_BODY_LIMIT_MB: amount.max(400, 'must be at most 400').default(50),
  EMMA_CALLS_PER_MINUTE: amount.default(3000),
  EMMA_ADDRESS_CALLS_PER_MINUTE: amount.default(6000),
  EMMA_ENGINES: amount.max(8, 'must be at most 8').default(1),
  EMMA_KEPT_SECONDS: z.coerce
    .number(keptMeaning)
    .int(keptMeaning)
    .min(0, keptMeaning)
    .max(60, keptMeaning)
    .default(10),
  EMMA_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  PORT: port.default(8080),
  EMMA_HOST: listenAddress,
  EMMA_INBOUND_HOST: listenAddress,
  EMMA_SUBMISSION_HOST: listenAddress.default('127.0.0.1'),
  EMMA_SUBMISSION_TLS_KEY: z.string().optional(),
  EMMA_SUBMISSION_TLS_CERT: z.string().optional(),
  EMMA_TRUSTED_PROXIES: proxies,
  EMMA_DATA: z.string().default('./data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must look like postgres://user:password@host:5432/database' })
    .optional(),
  EMMA_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  EMMA_ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  EMMA_CHROMIUM: z.string().optional(),
  EMMA_CONSOLE: z.string().optional(),
  EMMA_ALLOW_PRIVATE_ISSUER: flag,
  EMMA_ALLOW_PRIVATE_WRITING_SERVICE: flag,
  EMMA_PUBLIC_URL: webAddress.optional(),
  EMMA_TRANSLATE_URL: webAddress.optional(),
  EMMA_TRANSLATE_KEY: z.string().optional(),
  EMMA_SENTRY_DSN: webAddress.optional(),
  EMMA_TRACKING_URL: webAddress.optional(),
  EMMA_TRACKING_PORT: port.optional(),
  EMMA_INBOUND_PORT: port.optional(),
  EMMA_TESTBED_SMTP_PORT: port.optional(),
  EMMA_TESTBED_DNS_PORT: port.optional(),
  EMMA_DATABASE_PORT: port.optional(),
  EMMA_SUBMISSION_PORT: port.optional(),
  EMMA_RELAYS: relays,
  EMMA_S3_ENDPOINT: webAddress.optional(),
  EMMA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  EMMA_S3_REGION: z.string().default('us-east-1'),
  EMMA_S3_ACCESS_KEY_ID: z.string().optional(),
  EMMA_S3_SECRET_ACCESS_KEY: z.string().optional(),
  EMMA_WEBHOOK_LOOPBACK: flag,
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .default('production'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
})

function parse(environment: Environment): z.infer<typeof environmentSchema> {
  // Many tools pass empty variables for "not set".
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentSchema.safeParse(set)
  if (result.success) return result.data
  const faults = result.error.issues.map(issue => {
    const name = String(issue.path[0])
    return `${name} ${issue.message}${shown(name, environment[name])}`
  })
  throw new ConfigError(faults.join('\n'))
}

/** Shows the wrong value, unless it is a secret. */
function shown(name: string, value: string | undefined): string {
  return /SECRET|PASSWORD|TOKEN|KEY|DSN|DATABASE_URL/.test(name) ? '' : `, but is "${value}"`
}

/** Variable of each port, for messages. */
export const portVariables = {
  port: 'PORT',
  trackingPort: 'EMMA_TRACKING_PORT',
  inboundPort: 'EMMA_INBOUND_PORT',
  testbedSmtpPort: 'EMMA_TESTBED_SMTP_PORT',
  testbedDnsPort: 'EMMA_TESTBED_DNS_PORT',
  databasePort: 'EMMA_DATABASE_PORT',
  submissionPort: 'EMMA_SUBMISSION_PORT',
} satisfies Partial<Record<keyof Config, string>>

export type PortName = keyof typeof portVariables

function checkPorts(ports: Record<PortName, number>): void {
  const users = Map.groupBy(Object.entries(ports), ([, number]) => number)
  const names = new Map<string, string>(Object.entries(portVariables))
  for (const [number, entries] of users) {
    const variables = entries.map(([name]) => names.get(name)).join(' and ')
    if (entries.length > 1)
      throw new ConfigError(`${variables} are the same port, ${number}: give each its own`)
    if (number > 65_535)
      throw new ConfigError(`${variables} would be ${number}, past 65535: choose a lower PORT, or set it`)
  }
}
