import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { checksOf, type Mark, markOf } from './verdict-checks.ts'
import classes from './testbed.module.css'
import type { TestbedMail } from './testbed-mail.ts'

const badgeTones: Record<TestbedMail['verified'], Tone> = {
  pass: 'positive',
  fail: 'negative',
  'not sampled': 'neutral',
}

/** Badge of a message's authentication result. */
export function VerdictBadge({ verified }: { verified: TestbedMail['verified'] }): ReactNode {
  const { t } = useTranslation()
  return (
    <StatusBadge tone={badgeTones[verified]}>{t(`deliverability.testbed.verdicts.${verified}`)}</StatusBadge>
  )
}

/** Results of DKIM, SPF and DMARC, checked by the testbed independently of the sending server. */
export function TestbedVerdict({ mail }: { mail: TestbedMail }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  const { verdict, faults } = mail
  return (
    <div className={classes.verdict}>
      <div className={classes.judgement}>
        <MarkIcon mark={markOf(verdict.verified)} />
        <div>
          <h3>{text(`judgement.${verdict.verified}`)}</h3>
          {verdict.verified === 'fail' && <p>{verdict.reason}</p>}
          <p>{text('independent')}</p>
        </div>
      </div>
      <ul className={classes.checks}>
        {checksOf(verdict).map(check => (
          <li key={`${check.kind} ${check.domain} ${check.selector}`}>
            <MarkIcon mark={markOf(check.result)} />
            <div>
              <h3>
                {text(`checks.${check.kind}`)}
                <span>{text(`results.${check.result}`, { defaultValue: check.result })}</span>
              </h3>
              <p>{text(`checks.${check.kind}_text`)}</p>
              {check.domain && (
                <p className={classes.proof}>
                  {text(`checks.${check.kind}_of`, { ...check })}
                  {check.comment && ` (${check.comment})`}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      <section>
        <h3>{text('form')}</h3>
        {faults.length === 0 ? (
          <p className={classes.fine}>
            <IconCheck size={14} aria-hidden />
            {text('form_right')}
          </p>
        ) : (
          <ul className={classes.faults}>
            {faults.map(fault => (
              <li key={fault}>
                <IconAlertTriangle size={14} aria-hidden />
                {fault}
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

const icons = { right: IconCheck, wrong: IconX, doubtful: IconAlertTriangle, unknown: IconMinus }

/** Decorative icon; the text beside it says the same. */
function MarkIcon({ mark }: { mark: Mark }): ReactNode {
  const Icon = icons[mark]
  return (
    <span className={classes.markIcon} data-mark={mark} aria-hidden>
      <Icon size={16} stroke={2} />
    </span>
  )
}
