import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { notify } from '../feedback/notify.tsx'
import { csvText } from '@emma/contract/csv.ts'
import { csvDelimiter, saveAsFile } from '../list/list-csv.ts'
import { useUiSettings } from '../ui-settings.tsx'
import { useLanguage, useTranslate } from '../i18n.tsx'
import { pictureOf } from './chart-picture.ts'

export interface ChartDownloadProps {
  /** Description of the chart, also used as file name. */
  label: string
  /** Header and rows; numbers as numbers. */
  figures: readonly (readonly (string | number | null)[])[]
  /** Returns the chart's SVG, if there is one. */
  drawing?: () => SVGSVGElement | null
}

/** Download menu of a chart: its figures as CSV, its image as PNG. */
export function ChartDownload({ label, figures, drawing }: ChartDownloadProps): ReactNode {
  const t = useTranslate()
  const language = useLanguage()
  const { errorText } = useUiSettings()
  const name = label
    .slice(0, 80)
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .trim()

  function saveFigures(): void {
    saveAsFile(csvText(figures, csvDelimiter(language)), `${name}.csv`)
  }

  async function savePicture(): Promise<void> {
    const svg = drawing?.()
    if (!svg) return
    try {
      saveAsFile(await pictureOf(svg), `${name}.png`)
    } catch (error) {
      notify.danger(errorText(error), { title: t('chart.png') })
    }
  }

  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('chart.download', { name: label })}>
          <IconDownload size={14} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={saveFigures}>{t('chart.csv')}</Menu.Item>
        {drawing && <Menu.Item onClick={() => void savePicture()}>{t('chart.png')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
