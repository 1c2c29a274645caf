import { campaignState } from '@emma/contract/campaign-states.ts'
import { ActionIcon, Indicator, Popover, Progress, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconProgress } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Job, backgroundJob, campaignJob } from '../layout/job.ts'
import classes from '../layout/popup-list.module.css'
import { useSocketMessage, useSocketOpen } from './socket-provider.tsx'
import { useClientId } from '../session/use-session.ts'

/** Popover of running imports and campaigns with their progress. */
export function JobsMenu(): ReactNode {
  const { t } = useTranslation()
  const jobs = useRunningJobs()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover width={320} position="bottom-end" opened={isOpen} onChange={setOpen} trapFocus returnFocus>
      <Tooltip label={t('shell.jobs')} disabled={isOpen}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`${t('shell.jobs')}: ${jobs.length}`}
            onClick={() => setOpen(!isOpen)}
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
              <JobRow key={job.id} job={job} onLeave={() => setOpen(false)} />
            ))}
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function JobRow({ job, onLeave }: { job: Job; onLeave: () => void }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  const share = job.total ? (job.done / job.total) * 100 : 0
  return (
    <UnstyledButton
      className={classes.row}
      disabled={job.path === null}
      onClick={() => {
        onLeave()
        if (job.path !== null) history.push(job.path)
      }}
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

/** Running jobs and campaigns: fetched once, then updated by socket messages. */
function useRunningJobs(): readonly Job[] {
  const queryClient = useQueryClient()
  const queryKey = ['running-jobs', useClientId()]
  const { data: jobs = none, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const { findRunningJobs } = await import('./running-jobs.ts')
      return findRunningJobs()
    },
  })
  const change = (next: (jobs: readonly Job[]) => readonly Job[]) =>
    queryClient.setQueryData<readonly Job[]>(queryKey, (current = none) => next(current))
  const drop = (id: string) => change(current => current.filter(job => job.id !== id))
  const put = (job: Job) =>
    change(current =>
      current.some(({ id }) => id === job.id)
        ? current.map(other => (other.id === job.id ? job : other))
        : [...current, job],
    )
  // Jobs may have started while the socket was closed.
  useSocketOpen(() => void refetch())

  useSocketMessage('JOB_PROGRESS', progress => {
    const job = backgroundJob(progress)
    if (progress.state === 'running') put(job)
    else drop(job.id)
  })
  useSocketMessage('CAMPAIGN_PROGRESS', progress => {
    const job = campaignJob(progress)
    if (progress.progress_cur < progress.estimated_volume) put(job)
    else drop(job.id)
  })
  useSocketMessage('CAMPAIGN_STATUS', ({ campagne_id, valid }) => {
    if (valid !== campaignState.running) drop(`campaign ${campagne_id}`)
  })
  return jobs
}

const none: readonly Job[] = []
