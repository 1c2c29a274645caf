import { campaignState } from '@emma/contract/campaign-states.ts'
import type { SocketData } from '@emma/contract/socket.ts'
import { ActionIcon, Indicator, Popover, Progress, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useFormat } from '@emma/ui/words.tsx'
import { IconProgress } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './popup-list.module.css'
import { useSocketMessage } from './socket-provider.tsx'

interface Job {
  id: string
  name: string
  done: number
  total: number | null
  path: string | null
}

/** What runs right now, imports and sends alike, with its progress. */
export function JobsMenu(): ReactNode {
  const { t } = useTranslation()
  const jobs = useRunningJobs()
  return (
    <Popover width={320} position="bottom-end">
      <Tooltip label={t('shell.jobs')}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`${t('shell.jobs')}: ${jobs.length}`}
          >
            <Indicator disabled={jobs.length === 0} label={jobs.length} size={15} color="brand">
              <IconProgress size={18} stroke={1.6} />
            </Indicator>
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p="xs">
        {jobs.length === 0 ? (
          <Text size="sm" c="dimmed" p="xs">
            {t('shell.jobs_none')}
          </Text>
        ) : (
          <Stack gap={2}>
            {jobs.map(job => (
              <JobRow key={job.id} job={job} />
            ))}
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function JobRow({ job }: { job: Job }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  const share = job.total ? (job.done / job.total) * 100 : 0
  return (
    <UnstyledButton
      className={classes.row}
      disabled={job.path === null}
      onClick={() => job.path && history.push(job.path)}
    >
      <span className={classes.title}>{job.name}</span>
      <span className={classes.note}>
        {job.total === null
          ? format.number(job.done)
          : t('shell.jobs_progress', { done: format.number(job.done), total: format.number(job.total) })}
      </span>
      <Progress
        w="100%"
        size="xs"
        value={job.total === null ? 100 : share}
        animated={job.total === null}
        aria-label={job.name}
      />
    </UnstyledButton>
  )
}

/** Jobs and campaigns under way, kept by what the socket says of them. */
function useRunningJobs(): readonly Job[] {
  const [jobs, setJobs] = useState<ReadonlyMap<string, Job>>(new Map())
  const put = (job: Job) => setJobs(current => new Map(current).set(job.id, job))
  const drop = (id: string) => setJobs(current => new Map([...current].filter(([key]) => key !== id)))

  useSocketMessage('JOB_PROGRESS', ({ id, name, state, done, total, path }) => {
    if (state === 'running') put({ id: `job ${id}`, name, done, total, path: path ?? null })
    else drop(`job ${id}`)
  })
  useSocketMessage('CAMPAIGN_PROGRESS', progress => {
    const job = campaignJob(progress)
    if (progress.progress_cur < progress.estimated_volume) put(job)
    else drop(job.id)
  })
  useSocketMessage('CAMPAIGN_STATUS', ({ campagne_id, valid }) => {
    if (valid !== campaignState.running) drop(`campaign ${campagne_id}`)
  })
  return [...jobs.values()]
}

function campaignJob(progress: SocketData<'CAMPAIGN_PROGRESS'>): Job {
  return {
    id: `campaign ${progress.campagne_id}`,
    name: progress.name,
    done: progress.progress_cur,
    total: progress.estimated_volume,
    path: `/campaigns/start/${progress.campagne_id}`,
  }
}
