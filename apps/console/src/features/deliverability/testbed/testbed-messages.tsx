import { type testbedMessageRow, testbedFolders } from '@emma/contract/actions/deliverability.ts'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, SegmentedControl } from '@mantine/core'
import { IconChevronDown, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { FolderMark } from './testbed-folder.tsx'
import type { PaneList } from './testbed-lists.ts'
import { TestbedPane } from './testbed-pane.tsx'
import { TestbedSearch } from './testbed-search.tsx'
import { type TestbedChange, type TestbedState, withChange } from './testbed-state.ts'
import classes from './testbed.module.css'

type MessageRow = z.output<typeof testbedMessageRow>

interface TestbedMessagesProps {
  list: PaneList<MessageRow>
  state: TestbedState
  onChange: TestbedChange
  /** Opens the mailboxes on screens too narrow for their pane. */
  onMailboxes: () => void
  searchRef: RefObject<HTMLInputElement | null>
}

/** Messages of one mailbox or of all, newest first. */
export function TestbedMessages(props: TestbedMessagesProps): ReactNode {
  const { list, state, onChange, onMailboxes, searchRef } = props
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.testbed.${key}`)
  return (
    <TestbedPane
      label={text('messages')}
      head={
        <>
          <Button
            className={classes.chooser}
            variant="default"
            size="xs"
            justify="space-between"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            onClick={onMailboxes}
          >
            {state.mailbox ?? text('all_mailboxes')}
          </Button>
          <TestbedSearch
            label={text('search_messages')}
            value={state.search}
            onChange={search => onChange({ search }, { replace: true })}
            inputRef={searchRef}
          />
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={text('folder')}
            data={['all', ...testbedFolders].map(value => ({ value, label: text(`folders.${value}`) }))}
            value={state.folder ?? 'all'}
            onChange={chosen =>
              onChange(
                { folder: testbedFolders.find(folder => folder === chosen) ?? null },
                { replace: true },
              )
            }
          />
        </>
      }
      list={list}
      row={row => (
        <MessageLine key={row.id} row={row} isOpen={row.id === state.message} hasMailbox={!state.mailbox} />
      )}
      empty={<NoMessages state={state} onChange={onChange} />}
    />
  )
}

function MessageLine(props: { row: MessageRow; isOpen: boolean; hasMailbox: boolean }): ReactNode {
  const { row, isOpen, hasMailbox } = props
  const { t } = useTranslation()
  const format = useFormat()
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li ref={line}>
      <Link
        to="."
        search={(current: Record<string, unknown>) => withChange(current, { message: row.id })}
        activeOptions={{ exact: true }}
        className={classes.mail}
        aria-current={isOpen || undefined}
      >
        <span className={classes.from}>{nameOf(row.from) || row.sender}</span>
        <time className={classes.when} dateTime={row.receivedAt}>
          {whenOf(row.receivedAt, format)}
        </time>
        <span className={classes.subject}>{row.subject || t('deliverability.testbed.no_subject')}</span>
        <span className={classes.facts}>
          <FolderMark folder={row.folder} />
          <CheckMark verified={row.verified} />
          {hasMailbox && <span className={classes.address}>{row.mailbox}</span>}
        </span>
      </Link>
    </li>
  )
}

function CheckMark({ verified }: { verified: MessageRow['verified'] }): ReactNode {
  const { t } = useTranslation()
  if (verified === 'not sampled') return null
  const Icon = verified === 'pass' ? IconShieldCheck : IconShieldX
  return (
    <Icon
      className={classes.mark}
      data-result={verified}
      size={14}
      stroke={1.8}
      role="img"
      aria-label={t(`deliverability.testbed.verdicts.${verified}`)}
    />
  )
}

function NoMessages({ state, onChange }: { state: TestbedState; onChange: TestbedChange }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  if (state.search !== '' || state.folder !== null) {
    return (
      <EmptyState
        title={text('no_match')}
        action={
          <Button variant="default" size="xs" onClick={() => onChange({ search: '', folder: null })}>
            {text('show_all')}
          </Button>
        }
      />
    )
  }
  if (state.mailbox === null) return <EmptyState title={text('empty_title')} text={text('empty_text')} />
  return (
    <EmptyState
      title={text('mailbox_empty_title')}
      text={text('mailbox_empty_text', { address: state.mailbox })}
      action={
        <Button variant="default" size="xs" onClick={() => onChange({ mailbox: null })}>
          {text('all_mailboxes')}
        </Button>
      }
    />
  )
}

/** Display name of a From header, else its address: `"Northwind" <hello@northwind.test>` → Northwind. */
function nameOf(from: string): string {
  const name = /^\s*"?([^"<]*?)"?\s*</.exec(from)?.[1]?.trim()
  return name || from.replace(/^<|>$/g, '')
}

/** Time if today, else the date. */
function whenOf(at: string, format: ReturnType<typeof useFormat>): string {
  return format.date(at) === format.date(new Date()) ? format.time(at) : format.day(at)
}
