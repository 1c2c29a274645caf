import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFillHeight } from '@emma/ui/list/use-fill-height.ts'
import { useListKeys } from '@emma/ui/list/use-list-keys.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconMailOpened } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { TestbedMailboxes } from './testbed-mailboxes.tsx'
import { TestbedMessageView } from './testbed-message-view.tsx'
import { TestbedMessages } from './testbed-messages.tsx'
import { useMailboxes, useMessages, useMessageTotal } from './testbed-lists.ts'
import { neighbour, type TestbedChange, type TestbedState, useTestbedState } from './testbed-state.ts'
import classes from './testbed.module.css'

/** Screen of the testbed: simulated mailboxes, the messages they received, and their events. */
export default function Testbed(): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  const format = useFormat()
  const [state, change] = useTestbedState()
  const [isChoosing, setIsChoosing] = useState(false)
  const panes = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const boxes = useMailboxes(state)
  const messages = useMessages(state)
  const total = useMessageTotal()
  const ids = messages.rows?.map(row => row.id) ?? []
  useFillHeight(panes, { below: 24, isOn: true, isBounded: true })
  useTestbedKeys(ids, state, change, searchBox)
  return (
    <Page
      title={t('screens.testbed')}
      subtitle={
        <span className={classes.subtitle}>
          {text('subtitle')}
          <StatusBadge tone="positive" isLive>
            {text('live', { count: total ?? 0, total: format.number(total) })}
          </StatusBadge>
        </span>
      }
    >
      <div ref={panes} className={classes.panes} data-open={state.message === null ? 'list' : 'message'}>
        <div className={classes.mailboxes}>
          <TestbedMailboxes list={boxes} state={state} onChange={change} />
        </div>
        <div className={classes.messages}>
          <TestbedMessages
            list={messages}
            state={state}
            onChange={change}
            onMailboxes={() => setIsChoosing(true)}
            searchRef={searchBox}
          />
        </div>
        <div className={classes.message}>
          {state.message === null ? (
            <EmptyState
              title={text('choose_title')}
              text={text('choose_text')}
              icon={<IconMailOpened size={22} stroke={1.5} aria-hidden />}
            />
          ) : (
            <TestbedMessageView
              key={state.message}
              id={state.message}
              onClose={() => change({ message: null })}
            />
          )}
        </div>
      </div>
      <DetailsDrawer
        title={text('mailboxes')}
        size="sm"
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
      >
        <div className={classes.drawer}>
          <TestbedMailboxes
            list={boxes}
            state={state}
            onChange={change}
            onChosen={() => setIsChoosing(false)}
          />
        </div>
      </DetailsDrawer>
    </Page>
  )
}

function useTestbedKeys(
  ids: readonly number[],
  { message }: TestbedState,
  change: TestbedChange,
  searchBox: { readonly current: HTMLInputElement | null },
): void {
  const open = (id: number | null) => {
    if (id !== null && id !== message) change({ message: id }, { replace: message !== null })
  }
  useListKeys(
    {
      onMove: by => open(neighbour(ids, message, by)),
      onSelect: () => undefined,
      onOpen: () => open(message ?? ids[0] ?? null),
      onSearch: () => searchBox.current?.focus(),
      onLeave: () => {
        if (message !== null) change({ message: null })
      },
    },
    true,
  )
}
