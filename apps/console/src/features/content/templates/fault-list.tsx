import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../content.module.css'
import type { TemplateFault } from './template-faults.ts'

interface FaultListProps {
  faults: readonly TemplateFault[]
  /** Called to show the fault's position in the source. */
  onGo: (fault: TemplateFault) => void
  /** What repairs a fault. */
  fixesOf?: ((fault: TemplateFault) => ReactNode) | undefined
}

/** List of a template's faults, errors first; each links to its position. */
export function FaultList({ faults, onGo, fixesOf }: FaultListProps): ReactNode {
  const { t } = useTranslation()
  if (faults.length === 0) return null
  const sorted = faults.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
  return (
    <section className={classes.faults} aria-label={t('content.message.warnings', { count: faults.length })}>
      <h2 className={classes.faultsTitle}>{t('content.message.warnings', { count: faults.length })}</h2>
      <ul>
        {sorted.map((fault, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- equal faults can stand in one line
          <li key={`${fault.field} ${fault.line ?? ''} ${fault.message} ${index}`}>
            <UnstyledButton
              className={classes.faultLine}
              data-severity={fault.severity}
              onClick={() => onGo(fault)}
            >
              {fault.severity === 'error' ? <IconCircleX size={16} /> : <IconAlertTriangle size={16} />}
              <span>
                {fault.message}
                <span className={classes.place}>
                  {t(`content.message.fields.${fault.field}`)}
                  {fault.line !== null &&
                    `, ${t('content.message.place', { line: fault.line, column: fault.column ?? 1 })}`}
                </span>
              </span>
            </UnstyledButton>
            {fixesOf && <div className={classes.faultFixes}>{fixesOf(fault)}</div>}
          </li>
        ))}
      </ul>
    </section>
  )
}
