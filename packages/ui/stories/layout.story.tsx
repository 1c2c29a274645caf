import { Button, Group, Stack } from '@mantine/core'
import { IconClick, IconEye, IconMail, IconUserMinus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { LoadingBar } from '../src/feedback/loading-bar.tsx'
import { confirm } from '../src/feedback/confirm.tsx'
import { notify } from '../src/feedback/notify.tsx'
import { BlockSkeleton, FormSkeleton, TextSkeleton } from '../src/feedback/skeletons.tsx'
import { Card } from '../src/layout/card.tsx'
import { CopyButton } from '../src/layout/copy-button.tsx'
import { DetailsDrawer } from '../src/layout/details-drawer.tsx'
import { Figure, Figures } from '../src/layout/figure.tsx'
import { KeyValue } from '../src/layout/key-value.tsx'
import { PageHeader } from '../src/layout/page-header.tsx'
import { ProgressLive } from '../src/layout/progress-live.tsx'
import { StatusBadge } from '../src/layout/status-badge.tsx'
import { Stepper } from '../src/layout/stepper.tsx'
import { Timeline } from '../src/layout/timeline.tsx'
import { TabPanels } from '../src/layout/url-tabs.tsx'
import type { Story } from './story.ts'

function Header(): ReactNode {
  const [step, setStep] = useState('audience')
  return (
    <PageHeader
      title="Autumn newsletter"
      subtitle="To 248,120 members of Newsletter Germany"
      status={
        <StatusBadge tone="active" isLive>
          Sending
        </StatusBadge>
      }
      actions={
        <>
          <Button variant="default">Pause</Button>
          <Button>Report</Button>
        </>
      }
    >
      <Stepper
        label="Steps of the campaign"
        current={step}
        onChoose={setStep}
        steps={[
          { id: 'content', label: 'Content', state: 'done' },
          { id: 'audience', label: 'Audience', state: 'todo' },
          { id: 'sender', label: 'Sender', state: 'warning' },
          { id: 'time', label: 'Time', state: 'todo' },
          { id: 'check', label: 'Check', state: 'error' },
          { id: 'start', label: 'Start', state: 'todo', isDisabled: true },
        ]}
      />
    </PageHeader>
  )
}

function Badges(): ReactNode {
  return (
    <Group gap="xs">
      <StatusBadge tone="neutral">Draft</StatusBadge>
      <StatusBadge tone="info">Scheduled</StatusBadge>
      <StatusBadge tone="active" isLive>
        Running
      </StatusBadge>
      <StatusBadge tone="positive">Finished</StatusBadge>
      <StatusBadge tone="caution">Paused</StatusBadge>
      <StatusBadge tone="negative">Failed</StatusBadge>
    </Group>
  )
}

function Numbers(): ReactNode {
  return (
    <Figures>
      <Figure label="Delivered" value="246,902" note="99.5%" onClick={() => {}} />
      <Figure
        label="Opened"
        value="61,204"
        note="24.8%"
        delta={{ text: '1.2%', direction: 'up', isGood: true }}
      />
      <Figure
        label="Clicked"
        value="9,871"
        note="4.0%"
        delta={{ text: '0.3%', direction: 'down', isGood: false }}
      />
      <Figure
        label="Unsubscribed"
        value="212"
        note="0.09%"
        delta={{ text: '0.02%', direction: 'down', isGood: true }}
      />
      <Figure label="Complaints" value="" isLoading />
    </Figures>
  )
}

function Activity(): ReactNode {
  return (
    <Timeline
      label="Activity"
      entries={[
        {
          id: 4,
          at: '2026-11-20T10:12:00Z',
          title: 'Clicked “Read more”',
          text: 'Autumn newsletter',
          icon: <IconClick />,
          tone: 'positive',
        },
        {
          id: 3,
          at: '2026-11-20T10:11:00Z',
          title: 'Opened Autumn newsletter',
          icon: <IconEye />,
          tone: 'info',
        },
        { id: 2, at: '2026-11-20T09:00:00Z', title: 'Autumn newsletter sent', icon: <IconMail /> },
        {
          id: 1,
          at: '2026-10-01T07:30:00Z',
          title: 'Unsubscribed from Summer news',
          text: 'By the link in the mail',
          icon: <IconUserMinus />,
          tone: 'negative',
        },
      ]}
    />
  )
}

function Toasts(): ReactNode {
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => notify.success('Saved')}>
        Success
      </Button>
      <Button variant="default" onClick={() => notify.info('The import has begun')}>
        Info
      </Button>
      <Button variant="default" onClick={() => notify.warning('You are offline', { title: 'No connection' })}>
        Warning
      </Button>
      <Button
        variant="default"
        onClick={() =>
          notify.danger('A record with the name “Autumn” exists already.', { title: 'That did not work' })
        }
      >
        Danger
      </Button>
      <Button
        variant="default"
        onClick={() => void confirm({ title: 'Send now?', text: 'To 248,120 people.', confirmLabel: 'Send' })}
      >
        Ask
      </Button>
      <Button
        variant="default"
        onClick={() =>
          void confirm({
            title: 'Delete the datasource?',
            text: 'All 12,031 members and their history go with it. This cannot be undone.',
            typed: 'Newsletter',
            confirmLabel: 'Delete',
            danger: true,
          })
        }
      >
        Ask for a word
      </Button>
    </Group>
  )
}

function Drawer(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open
      </Button>
      <DetailsDrawer title="maria@example.com" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Activity />
      </DetailsDrawer>
    </>
  )
}

function Views(): ReactNode {
  const [chosen, setChosen] = useState('facts')
  return (
    <TabPanels
      label="Views"
      chosen={chosen}
      onChoose={setChosen}
      tabs={[
        {
          id: 'facts',
          label: 'Facts',
          content: () => (
            <KeyValue
              columns={2}
              entries={[
                { label: 'Sender', value: 'news@example.com' },
                {
                  label: 'DKIM selector',
                  value: (
                    <>
                      emma1 <CopyButton value="emma1" label="Copy selector" />
                    </>
                  ),
                },
                { label: 'Created', value: 'Nov 20, 2026' },
                { label: 'Domain', value: 'a-rather-long-name-of-a-sending-domain.example.com' },
              ]}
            />
          ),
        },
        { id: 'activity', label: 'Activity', content: () => <Activity /> },
      ]}
    />
  )
}

const busy = { count: () => 1, subscribe: () => () => {} }

export const stories: readonly Story[] = [
  { title: 'Head of a screen', render: () => <Header /> },
  { title: 'Figures', render: () => <Numbers /> },
  { title: 'Badges', render: () => <Badges /> },
  {
    title: 'Progress',
    render: () => (
      <Stack maw={420}>
        <ProgressLive label="Sending" done={61_204} total={248_120} rate={1830} remaining={102} isRunning />
        <ProgressLive label="Import" done={5000} total={5000} isRunning={false} tone="positive" />
      </Stack>
    ),
  },
  { title: 'Tabs, facts', render: () => <Views /> },
  {
    title: 'Card with a timeline',
    render: () => (
      <Card title="Activity" actions={<Button variant="default">All</Button>}>
        <Activity />
      </Card>
    ),
  },
  { title: 'Notifications and questions', render: () => <Toasts /> },
  { title: 'Drawer', render: () => <Drawer /> },
  {
    title: 'Loading',
    render: () => (
      <Stack>
        <LoadingBar counter={busy} />
        <TextSkeleton />
        <FormSkeleton fields={2} />
        <BlockSkeleton height={60} />
      </Stack>
    ),
  },
]
