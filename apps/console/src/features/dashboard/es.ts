export const es = {
  dashboard: {
    of: 'de {{total}}',
    scheduled: '{{number}} programadas',
    volume: 'Volumen de los últimos 30 días',
    latest: 'Últimas campañas',
    all_reports: 'Todos los informes',
    none: 'Aún no se ha enviado nada',
    none_text: 'Lleve una plantilla a un segmento: su primera campaña está a unos pocos clics.',
    figures: {
      members: 'Suscriptores activos',
      sent: 'Enviados este mes',
      opens: 'Aperturas en 30 días',
      running: 'Campañas en curso',
    },
    series: { sent: 'Enviados', opens: 'Aperturas', clicks: 'Clics' },
    actions: { upload: 'Subir suscriptores', template: 'Nueva plantilla', campaign: 'Nueva campaña' },
    columns: {
      name: 'Campaña',
      state: 'Estado',
      progress: 'Progreso',
      start: 'Inicio',
      sent: 'Enviados',
      delivered: 'Entregados',
      opened: 'Abiertos',
      clicked: 'Con clic',
    },
  },
}
