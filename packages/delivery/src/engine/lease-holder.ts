import type { Db, Pool } from '@emma/db/connection.ts'
import { type EngineLease, isAtWork, takeEngineLease } from '../2-claim/engine-lease.ts'
import type { EngineLogger } from './engine-logger.ts'

/** The identity that an engine claims under; it goes on under a new one when its connection is gone. */
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

  /** @throws the driver's error when the database is away */
  static async take(pool: Pool, logger: EngineLogger): Promise<LeaseHolder> {
    return new LeaseHolder(pool, logger, await takeEngineLease(pool))
  }

  get id(): string {
    return this.#lease.id
  }

  /** A lease that is held: of several that find out that it is gone, one renews it. */
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

  /** Where the other end of its connection vanished without a word, that still looks open for hours. */
  async giveUpLost(db: Db): Promise<void> {
    const lease = this.#lease
    if (lease.isHeld && !(await isAtWork(db, lease.id))) await lease.release()
  }

  release(): Promise<void> {
    return this.#lease.release()
  }
}
