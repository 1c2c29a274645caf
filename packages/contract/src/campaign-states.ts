/** `ctype` of a campaign (domain.md 2A). */
export const campaignType = {
  regular: 1,
  recurring: 2,
  transactional: 3,
  test: 4,
  ipci: 5,
  process: 6,
  esp: 7,
} as const

/** Types that are no bulk mail: open campaigns of what programs and processes send, one mail at a time. */
export const transactionalTypes: readonly number[] = [campaignType.transactional, campaignType.process]

/** Bulk mail, which may need the approval of a second person. */
export const approvedTypes: readonly number[] = [
  campaignType.regular,
  campaignType.recurring,
  campaignType.esp,
]

/** `valid` of a campaign: its state (domain.md 2A). */
export const campaignState = {
  draft: 0,
  scheduled: 1,
  running: 2,
  finished: 3,
  preparing: 4,
  paused: 5,
  failed: 6,
  held: 7,
  stopped: 8,
  archived: 9,
} as const

export type CampaignStateName = keyof typeof campaignState
export type CampaignState = (typeof campaignState)[CampaignStateName]

export const campaignActions = [
  'start',
  'pause',
  'stop',
  'copy',
  'archive',
  'unarchive',
  'schedule',
  'cancel',
] as const
export type CampaignAction = (typeof campaignActions)[number]

const { draft, scheduled, running, finished, preparing, paused, failed, held, stopped, archived } =
  campaignState

/** States that allow each action. `start` resumes a paused campaign. */
export const campaignTransitions: Record<CampaignAction, readonly CampaignState[]> = {
  start: [draft, scheduled, held, paused],
  pause: [running],
  stop: [scheduled, running, preparing, paused, held],
  copy: [draft, scheduled, running, finished, preparing, paused, failed, held, stopped, archived],
  archive: [draft, finished, stopped, failed],
  unarchive: [archived],
  schedule: [draft],
  cancel: [scheduled],
}

/** States in which a campaign will or may still send, automatically or after a user resumes it. */
export const openStates: readonly CampaignState[] = [scheduled, running, preparing, paused, held]

/** States in which a deleted campaign can be restored, as its deletion cancelled no deliveries. */
export const restorableStates: readonly CampaignState[] = [
  draft,
  scheduled,
  finished,
  failed,
  stopped,
  archived,
]

/** States in which the fields of a campaign can be changed (paused: the throttle only). */
export const editableStates: readonly CampaignState[] = [draft, scheduled, paused]
