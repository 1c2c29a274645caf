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
  /** Folder of the mail store; created if missing. */
  folder: string
  /** Address of all servers. Default 127.0.0.1. */
  host?: string
  /** 0 uses a free port. */
  smtpPort: number
  /** Port of the DNS server, UDP and TCP; 0 uses a free one, null (default) starts none. */
  dnsPort?: number | null
  /** Seed of random results; the same seed repeats them. */
  seed?: string
  profiles?: readonly ProviderProfile[]
  /**
   * Receives delivery status notifications, complaints and unsubscribe messages; null (default): they are not sent.
   */
  inbound?: InboundServer | null
  /**
   * Receives complaints about messages without CFBL-Address; null (default): fbl@ at the domain of the return path.
   */
  complaintAddress?: string | null
  /** Resolves the sender domains; see zone.ts. */
  lookup?: ZoneLookup
  /** Where links and images may be visited; default: this machine only. */
  resolveOrigin?: ResolveOrigin
  reactions?: ReactionOptions
  /** Default: every message up to 100 a second, 2 % of the rest. */
  verifySample?: VerifySample
  /** Default: 120,000 messages, 512 MB, 2,000,000 log rows. */
  bounds?: Partial<StoreBounds>
  /** Default 20 MB. */
  maxMessageBytes?: number
  /** Seconds until a greylisted or deferred sender is accepted. Default 10. */
  retryAfter?: number
  /** Seconds until a slow server replies. Default 5. */
  slowReply?: number
  /** Called for other errors: a broken connection, a failed reaction. */
  onError?: (error: Error) => void
  /** Milliseconds since the epoch. */
  now?: () => number
}

export interface ReactionOptions {
  /** Default true; otherwise messages are accepted without reactions. */
  enabled?: boolean
  /** Factor for real seconds: 1 is real time (readers take hours), 0 at once. Default 0.02. */
  delayFactor?: number
  /** Maximum steps per second: reading a message, requesting a URL. Default 100. */
  perSecond?: number
  /** Concurrent reactions. Default 8. */
  concurrency?: number
  /** Maximum waiting reactions; others are dropped. Default 200,000. */
  maxPending?: number
}

export interface TestbedStats {
  /** Messages being received. */
  receiving: number
  /** Reactions that wait, run, and were dropped since start. */
  pendingReactions: number
  runningReactions: number
  skippedReactions: number
}

export interface Testbed {
  smtpPort: number
  /** Null if no DNS server was requested. */
  dnsPort: number | null
  /** The zone for use in this process; `zone.resolver` fits mailauth. */
  zone: Zone
  stats: () => TestbedStats
  /** Resolves once no reaction waits or runs. */
  idle: () => Promise<void>
  /** Accepts no more messages, finishes those in progress, leaves pending reactions to the next start. */
  stop: () => Promise<void>
}

/**
 * Starts the simulated internet: receiving servers of several providers, their DNS, and the readers and programs that
 * react to messages.
 * @throws MailStoreError if the store cannot be used; the system's error if a port is taken
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
