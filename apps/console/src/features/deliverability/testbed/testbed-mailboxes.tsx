import type { testbedMailbox } from '@emma/contract/actions/deliverability.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconInbox } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { PaneList } from './testbed-lists.ts'
import { TestbedPane } from './testbed-pane.tsx'
import { TestbedSearch } from './testbed-search.tsx'
import { type TestbedChange, type TestbedState, withChange } from './testbed-state.ts'
import classes from './testbed.module.css'

interface TestbedMailboxesProps {
  list: PaneList<z.output<typeof testbedMailbox>>
  state: TestbedState
  onChange: TestbedChange
  /** Called when a mailbox is selected. */
  onChosen?: () => void
}

/** List of mailboxes with messages, and a row for all mailboxes. */
export function TestbedMailboxes({ list, state, onChange, onChosen }: TestbedMailboxesProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.testbed.${key}`)
  const format = useFormat()
  const { mailbox } = state
  // The mailbox in the URL may not be among the loaded rows, or may have no messages.
  const isListed = mailbox === null || list.rows?.some(row => row.address === mailbox)
  const row = (address: string | null, label: ReactNode) => (
    <li key={address}>
      <Link
        to="."
        search={(current: Record<string, unknown>) =>
          withChange(current, { mailbox: address, message: null })
        }
        // Otherwise URLs with further search parameters count as this link, too.
        activeOptions={{ exact: true }}
        className={classes.mailbox}
        aria-current={address === mailbox || undefined}
        onClick={onChosen}
      >
        {label}
      </Link>
    </li>
  )
  return (
    <TestbedPane
      label={text('mailboxes')}
      head={
        <TestbedSearch
          label={text('search_mailboxes')}
          value={state.address}
          onChange={address => onChange({ address }, { replace: true })}
        />
      }
      list={list}
      first={
        state.address === '' && (
          <>
            {row(
              null,
              <span className={classes.all}>
                <IconInbox size={16} stroke={1.6} aria-hidden />
                {text('all_mailboxes')}
              </span>,
            )}
            {!isListed && row(mailbox, <span className={classes.address}>{mailbox}</span>)}
          </>
        )
      }
      row={each =>
        row(
          each.address,
          <>
            <span className={classes.address}>{each.address}</span>
            <span className={classes.facts}>
              <span>{t('deliverability.testbed.mails', { count: each.messages })}</span>
              {each.spam > 0 && (
                <span className={classes.spam}>
                  {t('deliverability.testbed.in_spam', { count: each.spam })}
                </span>
              )}
              <time className={classes.when} dateTime={each.lastReceivedAt}>
                {format.relative(each.lastReceivedAt)}
              </time>
            </span>
          </>,
        )
      }
      empty={state.address !== '' && <p className={classes.nothing}>{text('no_mailbox')}</p>}
    />
  )
}
