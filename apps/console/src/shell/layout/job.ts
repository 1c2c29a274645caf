import type { SocketData } from '@emma/contract/socket.ts'

/** A running job: a campaign or background work. */
export interface Job {
  id: string
  name: string
  done: number
  /** `null` while unknown. */
  total: number | null
  path: string | null
}

/** Job of a campaign that is being sent. */
export function campaignJob(
  progress: Pick<
    SocketData<'CAMPAIGN_PROGRESS'>,
    'campagne_id' | 'name' | 'progress_cur' | 'estimated_volume'
  >,
): Job {
  return {
    id: `campaign ${progress.campagne_id}`,
    name: progress.name,
    done: progress.progress_cur,
    total: progress.estimated_volume,
    path: `/campaigns/start/${progress.campagne_id}`,
  }
}

/** Job of background work, with the id of its progress messages. */
export function backgroundJob({ id, name, done, total, path }: SocketData<'JOB_PROGRESS'>): Job {
  return { id: `job ${id}`, name, done, total, path: path ?? null }
}
