export const de = {
  dashboard: {
    of: 'von {{total}}',
    scheduled: '{{number}} geplant',
    volume: 'Volumen der letzten 30 Tage',
    latest: 'Letzte Kampagnen',
    all_reports: 'Alle Berichte',
    none: 'Noch nichts versendet',
    none_text: 'Bringen Sie eine Vorlage zu einem Segment: Ihre erste Kampagne ist ein paar Klicks entfernt.',
    figures: {
      members: 'Aktive Mitglieder',
      sent: 'Versendet in diesem Monat',
      opens: 'Öffnungen in 30 Tagen',
      running: 'Laufende Kampagnen',
    },
    series: { sent: 'Versendet', opens: 'Öffnungen', clicks: 'Klicks' },
    actions: { upload: 'Mitglieder hochladen', template: 'Neue Vorlage', campaign: 'Neue Kampagne' },
    columns: {
      name: 'Kampagne',
      state: 'Zustand',
      progress: 'Fortschritt',
      start: 'Gestartet',
      sent: 'Versendet',
      delivered: 'Zugestellt',
      opened: 'Geöffnet',
      clicked: 'Geklickt',
    },
  },
}
