import { type PlayableTour, seeTour } from '@emma/contract/actions/guidance.ts'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { showError } from '../i18n/error-text.ts'
import { loading } from '../states/loading.ts'
import { refreshGuidance } from './guidance-query.ts'
import { inLanguage } from './in-language.ts'

/**
 * Starts a tour: opens its screen, loads the player, and marks the tour as seen afterwards. Resolves when the tour has
 * ended, or will not be shown.
 */
export function usePlayTour(): (tour: PlayableTour) => Promise<void> {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  return tour => {
    if (location.pathname !== tour.path) router.history.push(tour.path)
    const language = i18n.resolvedLanguage
    const steps = tour.steps.map(step => ({
      selector: step.selector,
      placement: step.placement,
      title: inLanguage(step, 'title', language),
      text: inLanguage(step, 'text', language),
    }))
    const labels = {
      next: t('tours.next'),
      previous: t('tours.previous'),
      done: t('tours.done'),
      close: t('tours.close'),
      progress: t('tours.progress', { current: '{{current}}', total: '{{total}}' }),
    }
    const { pathname } = router.history.location
    const screen = {
      isLoading: () => router.state.isLoading || loading.count() > 0,
      isOpen: () => router.history.location.pathname === pathname,
      onNavigate: (listener: () => void) => router.history.subscribe(listener),
    }
    const take = async () => {
      const { playTour } = await import('./play-tour.ts')
      if (!(await playTour(steps, labels, screen)) || tour.seen) return
      await api.call(seeTour, { params: { id: tour.id } })
      await refreshGuidance()
    }
    return take().catch(showError)
  }
}

/**
 * Plays the screen's autoplay tour that the user has not seen yet, if `isFree` (no modal, no recording). A user who
 * leaves the screen before it begins sees it on the next visit.
 */
export function useAutoplay(tours: readonly PlayableTour[], isFree: boolean): void {
  const { pathname } = useLocation()
  const play = usePlayTour()
  const begun = useRef(new Set<number>())
  const next = tours.find(tour => tour.autoplay && !tour.seen && tour.path === pathname)
  useEffect(() => {
    if (!isFree || next === undefined || begun.current.has(next.id)) return
    const { id, path } = next
    begun.current.add(id)
    void play(next).then(() => {
      if (location.pathname !== path) begun.current.delete(id)
    })
  }, [isFree, next, play])
}
