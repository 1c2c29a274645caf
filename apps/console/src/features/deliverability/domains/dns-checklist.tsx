import type { z } from 'zod'
import { queryKeys } from '@emma/client/query-keys.ts'
import { verifyDomain } from '@emma/contract/actions/deliverability.ts'
import { type dnsStep, domain } from '@emma/contract/resources/domain.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button } from '@mantine/core'
import { IconCheck, IconCircleDashed, IconRefresh, IconShieldCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import classes from './dns-checklist.module.css'
import type { Domain } from './domain-status.tsx'

type DnsStep = z.infer<typeof dnsStep>

/** Interval of DNS checks in ms while records are missing. */
const recheckEvery = 20_000

/** The required DNS records of a domain and the results of the last check; refetched until all are found. */
export function DnsChecklist({ record }: { record: Domain }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.domain.${key}`, values)
  const format = useFormat()
  const { mayChange } = useRights(domain)
  const check = useQuery({
    queryKey: queryKeys.action(verifyDomain, [
      record.domain_id,
      record.return_path_host,
      record.tracking_host,
    ]),
    queryFn: ({ signal }) => api.call(verifyDomain, { params: { id: record.domain_id }, signal }),
    enabled: mayChange,
    refetchInterval: ({ state }) => (state.data && isComplete(state.data.dns) ? false : recheckEvery),
  })
  const { data } = check
  useEffect(() => {
    // Refreshes the status in the heading and in the list.
    if (data && data.status !== record.status) void refresh(domain)
  }, [data, record.status])
  const steps = data?.dns ?? record.dns
  const found = steps.filter(step => step.ok).length
  return (
    <Card
      title={text('dns.title')}
      isFlush
      actions={
        mayChange && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} />}
            loading={check.isFetching}
            onClick={() => void check.refetch()}
          >
            {text('check.now')}
          </Button>
        )
      }
    >
      <div className={classes.summary} aria-live="polite">
        {isComplete(steps) ? (
          <Alert variant="light" color="green" icon={<IconShieldCheck />}>
            {text('dns.complete', { name: record.name })}
          </Alert>
        ) : (
          <p>{text('dns.todo')}</p>
        )}
        {check.error && (
          <Alert variant="light" color="red">
            {errorText(check.error)}
          </Alert>
        )}
        {data && (
          <p className={classes.note}>
            {text('dns.found', { found, total: steps.length })}
            {' · '}
            {text('dns.checked', { time: format.time(check.dataUpdatedAt) })}
          </p>
        )}
      </div>
      <ol className={classes.steps}>
        {steps.map(step => (
          <DnsRow key={`${step.type} ${step.host} ${step.expected}`} record={record} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function DnsRow({ record, step }: { record: Domain; step: DnsStep }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.domain.${key}`, values)
  const key = record.dkim_keys.find(each => step.host.startsWith(`${each.selector}._domainkey.`))
  const purpose = purposeOf(record, step)
  const state = step.ok === null ? 'unknown' : step.ok ? 'right' : 'wrong'
  const Icon = { unknown: IconCircleDashed, right: IconCheck, wrong: IconX }[state]
  return (
    <li className={classes.step} data-state={state}>
      <span className={classes.icon}>
        <Icon size={16} stroke={2} role="img" aria-label={text(`check.${state}`)} />
      </span>
      <div className={classes.what}>
        <h3>{text(`dns.${purpose}`, { algorithm: key?.algorithm === 'ed25519' ? 'Ed25519' : 'RSA' })}</h3>
        <p>{text(`dns.${purpose}_text`)}</p>
      </div>
      <dl className={classes.record}>
        <dt>{text('dns.type')}</dt>
        <dd>{step.type}</dd>
        <dt>{text('dns.host')}</dt>
        <dd>
          <code>{step.host}</code>
          <CopyButton value={step.host} label={text('dns.copy_host', { host: step.host })} />
        </dd>
        <dt>{text('dns.value')}</dt>
        <dd>
          <code>{step.expected}</code>
          <CopyButton value={step.expected} label={text('dns.copy_value', { host: step.host })} />
        </dd>
        {state === 'wrong' && (
          <>
            <dt>{text('dns.now')}</dt>
            <dd className={classes.found}>
              {step.found.length === 0
                ? text('dns.nothing')
                : step.found.map(value => <code key={value}>{value}</code>)}
            </dd>
          </>
        )}
      </dl>
    </li>
  )
}

/** Purpose of a DNS record, by type and host. */
function purposeOf(record: Domain, { type, host }: DnsStep) {
  if (host.startsWith('_dmarc.')) return 'dmarc'
  if (host.includes('._domainkey.')) return 'dkim'
  if (type === 'MX') return 'return_path'
  if (host === record.tracking_host) return 'tracking'
  return host === record.name ? 'spf' : 'return_spf'
}

function isComplete(steps: readonly DnsStep[]): boolean {
  return steps.length > 0 && steps.every(step => step.ok === true)
}
