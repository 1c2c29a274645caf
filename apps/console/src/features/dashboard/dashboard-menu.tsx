import { dashboard } from '@emma/contract/resources/dashboard.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { Button, Menu, Text } from '@mantine/core'
import {
  IconCheck,
  IconChevronDown,
  IconCopy,
  IconLock,
  IconPencil,
  IconPlus,
  IconStar,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { useSession } from '../../shell/session/use-session.ts'
import { standardDashboard } from './standard-dashboard.ts'
import type { Dashboards } from './use-dashboards.ts'

const NameDialog = lazyComponent(
  async () => (await import('../../shell/layout/name-dialog.tsx')).NameDialog,
  () => null,
)

const icon = 16

type Naming = 'new' | 'copy' | 'rename'

/** Select of the dashboard, with its actions. */
export function DashboardMenu({ boards }: { boards: Dashboards }): ReactNode {
  const { t } = useTranslation()
  const { claims } = useSession()
  const { mayCreate, mayChange, mayDelete } = useRights(dashboard)
  const [naming, setNaming] = useState<Naming | null>(null)
  const { all, current, first } = boards
  const isMine = current !== null && current.created_by === claims?.sub.id
  const run = (work: Promise<unknown>, done: string) =>
    work.then(() => notify.success(t(done, { name: current?.name ?? '' })), showError)

  async function remove(): Promise<void> {
    if (!current) return
    const isSure = await confirm({
      title: t('action.delete_title', { name: current.name }),
      text: t('dashboard.delete_text'),
      confirmLabel: t('action.delete'),
      danger: true,
    })
    if (!isSure) return
    try {
      const { restore } = await boards.remove(current)
      const undo = { label: t('dashboard.undo'), run: () => void run(restore(), 'action.restored') }
      notify.success(t('dashboard.deleted', { name: current.name }), { action: undo })
    } catch (error) {
      showError(error)
    }
  }

  async function named(name: string): Promise<void> {
    if (naming === 'rename' && current) {
      await boards.change(current, { name })
      notify.success(t('dashboard.renamed', { name }))
    } else await boards.create(name, naming === 'copy' ? [...(current?.content ?? standardDashboard)] : [])
  }

  return (
    <>
      <Menu position="bottom-start" width={300}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            leftSection={current?.is_public ? <IconUsers size={icon} /> : <IconLock size={icon} />}
            rightSection={<IconChevronDown size={14} />}
            aria-label={t('dashboard.switch', { name: current?.name ?? t('dashboard.standard') })}
          >
            <Text span size="sm" fw={500} truncate maw={240}>
              {current?.name ?? t('dashboard.standard')}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={460} style={{ overflowY: 'auto' }}>
          <Menu.Label>{t('dashboard.all')}</Menu.Label>
          <Menu.Item
            rightSection={current === null && <IconCheck size={icon} />}
            onClick={() => boards.open(null)}
          >
            {t('dashboard.standard')}
          </Menu.Item>
          {all.map(board => (
            <Menu.Item
              key={board.dashboard_id}
              leftSection={board.is_public ? <IconUsers size={icon} /> : <IconLock size={icon} />}
              rightSection={board.dashboard_id === current?.dashboard_id && <IconCheck size={icon} />}
              onClick={() => boards.open(board.dashboard_id)}
            >
              {board.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {mayCreate && (
            <>
              <Menu.Item leftSection={<IconPlus size={icon} />} onClick={() => setNaming('new')}>
                {t('dashboard.new')}
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={icon} />} onClick={() => setNaming('copy')}>
                {t('dashboard.copy')}
              </Menu.Item>
            </>
          )}
          {(current?.dashboard_id ?? null) !== first && (
            <Menu.Item
              leftSection={<IconStar size={icon} />}
              onClick={() => void run(boards.setFirst(current?.dashboard_id ?? null), 'dashboard.is_first')}
            >
              {t('dashboard.make_first')}
            </Menu.Item>
          )}
          {current && mayChange && (
            <Menu.Item leftSection={<IconPencil size={icon} />} onClick={() => setNaming('rename')}>
              {t('dashboard.rename')}
            </Menu.Item>
          )}
          {current && mayChange && (isMine || !current.is_public) && (
            <Menu.Item
              leftSection={current.is_public ? <IconLock size={icon} /> : <IconUsers size={icon} />}
              onClick={() =>
                void run(
                  boards.change(current, { is_public: !current.is_public }),
                  current.is_public ? 'dashboard.is_private' : 'dashboard.is_public',
                )
              }
            >
              {t(current.is_public ? 'dashboard.make_private' : 'dashboard.make_public')}
            </Menu.Item>
          )}
          {current && mayDelete && (
            <Menu.Item color="red" leftSection={<IconTrash size={icon} />} onClick={() => void remove()}>
              {t('action.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <NameDialog
          title={t(`dashboard.${naming}`)}
          label={t('dashboard.name')}
          initial={naming === 'rename' ? (current?.name ?? '') : ''}
          save={named}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  )
}
