import type { Db, Pool } from '@emma/db/connection.ts'
import { type EngineLease, isAtWork, takeEngineLease } from '../2-claim/engine-lease.ts'
import type { EngineLogger } from './engine-logger.ts'

/** Holds the lease that an engine claims under; renews it when its connection is lost. */
export class LeaseHolder {
  readonly #pool: Pool
  readonly #logger: EngineLogger
  #lease: EngineLease
  #renewing: Promise<void> | null = null

  private constructor(pool: Pool, logger: EngineLogger, lease: EngineLease) {
    this.#pool = pool
    this.#logger = logger
    this.#lease = lease
  }

  /** @throws the driver's error if the database is unavailable */
  static async take(pool: Pool, logger: EngineLogger): Promise<LeaseHolder> {
    return new LeaseHolder(pool, logger, await takeEngineLease(pool))
  }

  get id(): string {
    return this.#lease.id
  }

  /** Ensures that a lease is held: of several callers that find it lost, one renews it. */
  async ensure(): Promise<void> {
    if (this.#lease.isHeld) return
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null
    })
    await this.#renewing
  }

  async #renew(): Promise<void> {
    this.#logger.warn(
      { lease: this.#lease.id },
      'The engine lost its connection; it goes on under a new identity',
    )
    await this.#lease.release()
    this.#lease = await takeEngineLease(this.#pool)
  }

  /** For a peer that vanished without closing: such a connection looks open for hours. */
  async giveUpLost(db: Db): Promise<void> {
    const lease = this.#lease
    if (lease.isHeld && !(await isAtWork(db, lease.id))) await lease.release()
  }

  release(): Promise<void> {
    return this.#lease.release()
  }
}
