import { outsideScreen, screen } from '../../shell/layout/screen.tsx'

export const campaignRoutes = [
  screen('/campaigns/archive', {
    title: 'screens.campaigns',
    permissions: ['EmmaCampaign:get'],
    load: () => import('./campaign-list.tsx'),
  }),
  screen('/campaigns/calendar', {
    title: 'screens.campaign_calendar',
    permissions: ['EmmaCampaign:get'],
    load: () => import('./calendar/campaign-calendar.tsx'),
  }),
  screen('/campaigns/categories', {
    title: 'screens.categories',
    permissions: ['EmmaCategoryValue:get'],
    load: () => import('./categories/category-list.tsx'),
  }),
  screen('/campaigns/categories/edit/$id', {
    title: 'screens.category',
    permissions: ['EmmaCategoryValue:get'],
    load: () => import('./categories/category-edit.tsx'),
  }),
  screen('/campaigns/frequency-caps', {
    title: 'screens.frequency_caps',
    permissions: ['EmmaCapping:get'],
    load: () => import('./frequency-caps/frequency-cap-list.tsx'),
  }),
  screen('/campaigns/frequency-caps/edit/$id', {
    title: 'screens.frequency_cap',
    permissions: ['EmmaCapping:get'],
    load: () => import('./frequency-caps/frequency-cap-edit.tsx'),
  }),
  screen('/campaigns/edit/$id', {
    title: 'screens.campaign',
    permissions: ['EmmaCampaign:get', 'EmmaDomain:get', 'EmmaMailclass:get', 'EmmaList:get'],
    load: () => import('./editor/campaign-edit.tsx'),
  }),
  screen('/campaigns/monitoring/$id', {
    title: 'screens.campaign_monitoring',
    permissions: ['EmmaCampaign:get', 'IPCI:get'],
    load: () => import('./campaign-monitoring.tsx'),
  }),
  screen('/campaigns/start/$id', {
    title: 'screens.campaign_start',
    permissions: ['EmmaCampaign:patch'],
    load: () => import('./editor/campaign-start.tsx'),
  }),
  screen('/campaigns/test/$id', {
    title: 'screens.campaign_test',
    permissions: ['EmmaCampaign:get', 'EmmaTestCampaign:get', 'EmmaTestAddress:get', 'TestGroup:get'],
    load: () => import('./editor/campaign-test.tsx'),
  }),
] as const

/** Shared views: require a session or the secret of the link. */
export const sharedCampaignRoutes = [
  outsideScreen('/testhistory/$id', {
    title: 'screens.test_history',
    load: () => import('./test-history/test-history.tsx'),
  }),
] as const
