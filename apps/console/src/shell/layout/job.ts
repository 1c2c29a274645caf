import type { SocketData } from '@emma/contract/socket.ts'

/** Work under way, of whatever kind. */
export interface Job {
  id: string
  name: string
  done: number
  /** `null` while it is not known yet. */
  total: number | null
  path: string | null
}

/** A campaign that is being sent. */
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

/** Background work by the id that its progress is told with. */
export function backgroundJob({ id, name, done, total, path }: SocketData<'JOB_PROGRESS'>): Job {
  return { id: `job ${id}`, name, done, total, path: path ?? null }
}
