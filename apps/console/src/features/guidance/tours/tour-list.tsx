import { guidedTour } from '@emma/contract/resources/guided-tour.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlayTour } from '../../../shell/guidance/use-tours.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'

/** List of guided tours. */
export default function TourList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const play = usePlayTour()
  return (
    <ResourceList
      resource={guidedTour}
      columns={[
        'name',
        'path',
        {
          id: 'steps',
          width: 90,
          align: 'end',
          cell: row => format.number(row.steps.length),
          text: row => row.steps.length,
        },
        {
          id: 'autoplay',
          width: 160,
          cell: row => t(row.autoplay ? 'tours.guided_tour.by_itself' : 'tours.guided_tour.on_demand'),
        },
        'active',
        'updated_at',
      ]}
      filters={['onlyactive', 'path']}
      actions={row => [
        {
          id: 'play',
          label: t('tours.play'),
          icon: <IconPlayerPlay size={16} />,
          disabled: row.steps.length === 0 ? t('tours.guided_tour.no_steps') : undefined,
          run: () => void play({ ...row, seen: true }),
        },
      ]}
    />
  )
}
