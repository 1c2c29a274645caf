import { createVerifier, type VerifySample } from './authenticate-mail.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { indexProviders } from './find-provider.ts'
import { createMailStore, type StoreBounds } from './mail-store.ts'
import { openMailStoreFile } from './mail-store-file.ts'
import type { InboundServer } from './perform-reaction.ts'
import { planReactions } from './plan-reactions.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { PROVIDER_PROFILES } from './provider-profiles.ts'
import { createReactionQueue } from './reaction-queue.ts'
import { startReactionRunner } from './reaction-runner.ts'
import { startSmtpSink } from './smtp-sink.ts'
import { loopbackOnly, type ResolveOrigin } from './visit.ts'
import { createZone, type Zone, type ZoneLookup } from './zone.ts'

export interface TestbedOptions {
  /** Where the mail store lies; made when missing. */
  folder: string
  /** Where all servers listen. Default 127.0.0.1. */
  host?: string
  /** 0 takes a free port. */
  smtpPort: number
  /** Port of the DNS server, UDP and TCP; 0 takes a free one, null (default) starts none. */
  dnsPort?: number | null
  /** Changes who fares how; the same seed repeats the same story. */
  seed?: string
  profiles?: readonly ProviderProfile[]
  /** Takes delivery status notifications, complaints and unsubscribe mails; null (default): they are not sent. */
  inbound?: InboundServer | null
  /** Takes complaints about mails without a CFBL-Address; null (default): fbl@ at the domain of the return path. */
  complaintAddress?: string | null
  /** Answers for the sender domains; see zone.ts. */
  lookup?: ZoneLookup
  /** Where links and pictures may be visited; default: this machine alone. */
  resolveOrigin?: ResolveOrigin
  reactions?: ReactionOptions
  /** Default: every mail up to 100 a second, 2 of 100 of the rest. */
  verifySample?: VerifySample
  /** Default: 120,000 messages, 512 MB, 2,000,000 rows of log. */
  bounds?: Partial<StoreBounds>
  /** Default 20 MB. */
  maxMessageBytes?: number
  /** Seconds until a greylisted or deferred sender is let through. Default 10. */
  retryAfter?: number
  /** Seconds a slow server takes for its reply. Default 5. */
  slowReply?: number
  /** What goes wrong beside the mails: a sender's broken connection, a reaction that fails. */
  onError?: (error: Error) => void
  /** Milliseconds since the epoch. */
  now?: () => number
}

export interface ReactionOptions {
  /** Default true; without, mails are taken and nothing follows. */
  enabled?: boolean
  /** Seconds here for a second in life: 1 is real time (readers take hours), 0 at once. Default 0.02. */
  delayFactor?: number
  /** Steps a second at most: reading a mail, requesting an address. Default 100. */
  perSecond?: number
  /** Reactions at the same time. Default 8. */
  concurrency?: number
  /** Reactions that may wait; what does not fit is left out. Default 200,000. */
  maxPending?: number
}

export interface TestbedStats {
  /** Mails being received now. */
  receiving: number
  /** Reactions that wait, are done now, and were left out since start because too many waited. */
  pendingReactions: number
  runningReactions: number
  skippedReactions: number
}

export interface Testbed {
  smtpPort: number
  /** Null when no DNS server was asked for. */
  dnsPort: number | null
  /** The zone for use in this process; `zone.resolver` fits mailauth. */
  zone: Zone
  stats: () => TestbedStats
  /** Resolves once no reaction waits or runs. */
  idle: () => Promise<void>
  /** Takes no more mails, brings those in progress to their end, leaves pending reactions to the next start. */
  stop: () => Promise<void>
}

/**
 * Starts the local rest of the internet: receiving servers of several providers, their DNS, and the people and
 * machines who react to mails.
 * @throws MailStoreError when the store cannot be used; the system's error when a port is taken
 */
export async function startTestbed(options: TestbedOptions): Promise<Testbed> {
  const host = options.host ?? '127.0.0.1'
  const now = options.now ?? Date.now
  const seed = options.seed ?? 'emma'
  const profiles = options.profiles ?? PROVIDER_PROFILES
  const onError = options.onError ?? (() => {})
  const reactions = { ...DEFAULT_REACTIONS, ...options.reactions }

  const zone = createZone({ profiles, address: '127.0.0.1', lookup: options.lookup, now })
  const store = createMailStore(
    openMailStoreFile(options.folder),
    { ...DEFAULT_BOUNDS, ...options.bounds },
    now,
  )
  const queue = createReactionQueue(store, { ...reactions, now })
  let dns: DnsServer | null = null
  let stopping: Promise<void> | null = null

  try {
    const dnsPort = options.dnsPort ?? null
    if (dnsPort !== null) dns = await startDnsServer(zone, { host, port: dnsPort })
    const sink = await startSmtpSink({
      host,
      port: options.smtpPort,
      seed,
      profiles,
      store,
      verify: createVerifier(zone.resolver, options.verifySample ?? DEFAULT_SAMPLE),
      onStored(storedId, address, fate, mail) {
        if (reactions.enabled) queue.add(storedId, planReactions(address, fate, mail, seed))
      },
      maxMessageBytes: options.maxMessageBytes ?? 20 * 1024 * 1024,
      retryAfter: options.retryAfter ?? 10,
      slowReply: options.slowReply ?? 5,
      now,
      onError,
    })
    const runner = startReactionRunner({
      queue,
      findProvider: indexProviders(profiles),
      seed,
      inbound: options.inbound ?? null,
      complaintAddress: options.complaintAddress ?? null,
      resolveOrigin: options.resolveOrigin ?? loopbackOnly,
      perSecond: reactions.perSecond,
      concurrency: reactions.concurrency,
      now,
      onError,
    })
    const servers = { sink, runner, dns }

    return {
      smtpPort: sink.port,
      dnsPort: dns?.port ?? null,
      zone,
      stats: () => ({
        receiving: sink.receiving(),
        pendingReactions: queue.pending(),
        runningReactions: runner.running(),
        skippedReactions: queue.skipped(),
      }),
      async idle() {
        while (queue.pending() > 0 || runner.running() > 0)
          await new Promise(resolve => setTimeout(resolve, 20))
      },
      stop: () => (stopping ??= stopAll()),
    }

    async function stopAll(): Promise<void> {
      await servers.sink.close()
      await servers.runner.stop()
      await servers.dns?.close()
      store.close()
    }
  } catch (error) {
    await dns?.close()
    store.close()
    throw error
  }
}

const DEFAULT_REACTIONS = {
  enabled: true,
  delayFactor: 0.02,
  perSecond: 100,
  concurrency: 8,
  maxPending: 200_000,
} as const satisfies Required<ReactionOptions>

const DEFAULT_SAMPLE: VerifySample = { perSecond: 100, fraction: 0.02 }

const DEFAULT_BOUNDS: StoreBounds = {
  messages: 120_000,
  bytes: 512 * 1024 * 1024,
  logRows: 2_000_000,
}
