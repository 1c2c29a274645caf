import { list } from '@emma/contract/resources/list.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../../shell/session/use-rights.ts'
import { textOfFault, translateValues } from '../../../shell/i18n/text-of-fault.ts'
import { APPROVAL_FIELD, type Campaign, stepOfField } from './campaign-steps.ts'
import classes from '../campaigns.module.css'
import { passedChecks } from './passed-checks.ts'
import type { Finding } from './finding.ts'

interface CampaignFindingsProps {
  campaign: Campaign
  errors: readonly Finding[]
  warnings: readonly Finding[]
  /** Number of recipients. */
  recipients: number
  /** Texts of the warnings that the user has accepted. */
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
}

/** Errors with links to fix them, warnings to accept, and passed checks. */
export function CampaignFindings(props: CampaignFindingsProps): ReactNode {
  const { campaign, errors, warnings, recipients, ticked, onTick } = props
  const { t } = useTranslation()
  const format = useFormat()
  const words = useFindingWords()
  function tick(message: string, isTicked: boolean): void {
    const after = new Set(ticked)
    if (isTicked) after.add(message)
    else after.delete(message)
    onTick(after)
  }
  return (
    <ul className={classes.findings}>
      {errors.map(error => (
        <li key={error.message + error.field} className={classes.finding}>
          <IconCircleX
            size={20}
            className={classes.blocking}
            role="img"
            aria-label={t('campaigns.check.error')}
          />
          <span>{words(error)}</span>
          {error.field !== APPROVAL_FIELD && <FixLink campaign={campaign} finding={error} />}
        </li>
      ))}
      {warnings.map(warning => (
        <li key={warning.message} className={classes.finding}>
          <IconAlertTriangle
            size={20}
            color="var(--emma-caution)"
            role="img"
            aria-label={t('campaigns.check.warning')}
          />
          <Checkbox
            size="sm"
            label={words(warning)}
            checked={ticked.has(warning.message)}
            onChange={event => tick(warning.message, event.currentTarget.checked)}
          />
          <span>
            <MembersLink campaign={campaign} finding={warning} />
            <FixLink campaign={campaign} finding={warning} />
          </span>
        </li>
      ))}
      {passedChecks(campaign, { errors, warnings }).map(check => (
        <li key={check} className={classes.finding}>
          <IconCircleCheck
            size={20}
            color="var(--emma-positive)"
            role="img"
            aria-label={t('campaigns.check.fine')}
          />
          <span>
            {t(`campaigns.check.passed.${check}`, {
              number: format.number(recipients),
              when: format.relative(campaign.tested_at),
            })}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Opens the segment of the members without a value that the mail displays. */
function MembersLink({ campaign, finding }: { campaign: Campaign; finding: Finding }): ReactNode {
  const { t } = useTranslation()
  const { mayCreate } = useRights(list)
  const column = finding.values?.['column']
  if (finding.code !== 'missing_values' || !mayCreate) return null
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      renderRoot={props => (
        <Link
          to="/subscribers/segments/edit/$id"
          params={{ id: 'new' }}
          search={{ of: campaign.list_id, without: String(column) }}
          {...props}
        />
      )}
    >
      {t('campaigns.check.show_members')}
    </Button>
  )
}

function FixLink({ campaign, finding }: { campaign: Campaign; finding: Finding }): ReactNode {
  const { t } = useTranslation()
  return (
    <Button component={Link} to={fixOf(campaign, finding)} variant="subtle" size="compact-sm">
      {t('campaigns.check.fix')}
    </Button>
  )
}

/** Path where a finding is fixed: the faulty record, or the campaign's form. */
function fixOf(campaign: Campaign, { code, field }: Finding): string {
  const { campagne_id, message_id, domain_id, mailclass_id, list_id } = campaign
  const isChoice = code === 'required' || code.startsWith('no_')
  if (!isChoice && field === 'message_id' && message_id) return `/templates/edit/${message_id}`
  if (!isChoice && field === 'domain_id' && domain_id) return `/settings/domains/edit/${domain_id}`
  if (!isChoice && field === 'mailclass_id' && mailclass_id)
    return `/settings/mailclasses/edit/${mailclass_id}`
  if (!isChoice && field === 'list_id' && list_id) return `/subscribers/segments/edit/${list_id}`
  if (code === 'unconfirmed') return `/billing/${field}`
  return `/campaigns/edit/${campagne_id}#${stepOfField(field)}`
}

/** Returns a function that translates a finding; falls back to the server's message. */
function useFindingWords(): (finding: Finding) => string {
  const { t, i18n } = useTranslation()
  return ({ code, field, reason, values, message }) => {
    const key = `campaigns.findings.${code}`
    if (i18n.exists(key))
      return t(key, { ...translateValues(values ?? {}), field: t(`campaigns.campaign.fields.${field}`) })
    return textOfFault({ code: reason, values, message })
  }
}
