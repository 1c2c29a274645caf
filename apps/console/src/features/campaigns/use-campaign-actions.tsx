import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import {
  IconArchive,
  IconArchiveOff,
  IconCalendarOff,
  IconChartHistogram,
  IconCopy,
  IconMailCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconSend,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAtWork } from '../../shell/resource/campaign-state.tsx'
import { useRights } from '../../shell/session/use-rights.ts'
import { isPossible, move } from './campaign-moves.ts'
import type { Campaign } from './editor/campaign-steps.ts'

const { draft, scheduled, held, paused } = campaignState
const waiting: readonly number[] = [draft, scheduled, held]
const size = 16

/** True once the campaign has been started. */
export function isStarted({ valid, started_at }: Pick<Campaign, 'valid' | 'started_at'>): boolean {
  return !waiting.includes(valid) && started_at !== null
}

/** Returns a function that lists the row actions of a campaign in its state. */
export function useCampaignActions(): (row: Campaign) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayChange } = useRights(campaign)
  const label = (action: string) => t(`campaigns.actions.${action}`)
  return row => {
    const params = { id: String(row.campagne_id) }
    const isWaiting = waiting.includes(row.valid)
    const looks: RowAction[] = [
      {
        id: 'report',
        label: label('report'),
        icon: <IconChartHistogram size={size} />,
        disabled: isStarted(row) ? undefined : t('campaigns.no_report_yet'),
        run: () => void navigate({ to: '/campaigns/reports/$id', params }),
      },
    ]
    if (!mayChange) return looks
    const candidates: (RowAction | false)[] = [
      isWaiting && {
        id: 'edit',
        label: label('edit'),
        icon: <IconPencil size={size} />,
        run: () => void navigate({ to: '/campaigns/edit/$id', params }),
      },
      isWaiting && {
        id: 'test',
        label: label('test'),
        icon: <IconMailCheck size={size} />,
        run: () => void navigate({ to: '/campaigns/test/$id', params }),
      },
      isWaiting && {
        id: 'check',
        label: label('check'),
        icon: <IconSend size={size} />,
        run: () => void navigate({ to: '/campaigns/start/$id', params }),
      },
      row.valid === paused && {
        id: 'resume',
        label: label('resume'),
        icon: <IconPlayerPlay size={size} />,
        run: async () => void (await move(row, 'start')),
      },
      isPossible('pause', row) && {
        id: 'pause',
        label: label('pause'),
        icon: <IconPlayerPause size={size} />,
        run: async () => void (await move(row, 'pause')),
      },
      isPossible('cancel', row) && {
        id: 'cancel',
        label: label('cancel'),
        icon: <IconCalendarOff size={size} />,
        run: async () => void (await move(row, 'cancel')),
      },
      (isAtWork(row.valid) || row.valid === paused) && {
        id: 'stop',
        label: label('stop'),
        icon: <IconPlayerStop size={size} />,
        danger: true,
        confirm: {
          title: t('campaigns.stop_title', { name: row.name }),
          text: t('campaigns.stop_text'),
          confirmLabel: label('stop'),
          danger: true,
        },
        run: async () => void (await move(row, 'stop')),
      },
      {
        id: 'copy',
        label: label('copy'),
        icon: <IconCopy size={size} />,
        run: async () => {
          const id = await move(row, 'copy')
          await navigate({ to: '/campaigns/edit/$id', params: { id: String(id) } })
        },
      },
      isPossible('archive', row) && {
        id: 'archive',
        label: label('archive'),
        icon: <IconArchive size={size} />,
        run: async () => void (await move(row, 'archive')),
        done: {
          message: t('campaigns.archived', { name: row.name }),
          undo: () => move(row, 'unarchive'),
        },
      },
      isPossible('unarchive', row) && {
        id: 'unarchive',
        label: label('unarchive'),
        icon: <IconArchiveOff size={size} />,
        run: async () => void (await move(row, 'unarchive')),
        done: {
          message: t('campaigns.unarchived', { name: row.name }),
          undo: () => move(row, 'archive'),
        },
      },
    ]
    const changes = candidates.filter(action => action !== false)
    return isStarted(row) ? [...looks, ...changes] : changes
  }
}
