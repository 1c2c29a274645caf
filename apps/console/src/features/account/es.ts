export const es = {
  account: {
    login: {
      title: 'Bienvenido de nuevo',
      intro: 'Inicie sesión para planificar, enviar y medir sus campañas.',
      username: 'Nombre de usuario',
      password: 'Contraseña',
      submit: 'Iniciar sesión',
      forgot: '¿Ha olvidado su contraseña?',
      claim: 'Cada correo contado. Ninguno perdido, ninguno repetido.',
      claim_text:
        'Segmentos, plantillas, envíos e informes en un solo lugar, de la primera lista al último clic.',
    },
    reset: {
      title: 'Establecer una contraseña nueva',
      request_intro:
        'Díganos su nombre de usuario. Si la cuenta existe, su dirección recibirá un correo con un enlace.',
      request_submit: 'Enviar el enlace',
      requested_title: 'Mire su buzón',
      requested_text:
        'Si la cuenta existe, hay un correo con un enlace en camino. El enlace sirve una vez y durante una hora.',
      set_intro: 'Elija una contraseña de al menos 10 caracteres. La longitud vale más que los símbolos.',
      password: 'Contraseña nueva',
      repeat: 'Repita la contraseña nueva',
      set_submit: 'Guardar la contraseña',
      too_short: 'La contraseña necesita al menos 10 caracteres.',
      different: 'Las dos entradas no coinciden.',
      done: 'Su contraseña nueva está lista. Inicie sesión con ella.',
      back: 'Volver al inicio de sesión',
    },
    settings: {
      intro: 'Estos ajustes son solo suyos y le acompañan en todos los navegadores.',
      appearance: 'Apariencia',
      language: 'Idioma',
      theme: 'Claro u oscuro',
      saved: 'Sus ajustes se han guardado.',
      security: 'Contraseña',
      security_text:
        'Para cambiarla, demuestre con la antigua que es usted. Se cerrará la sesión en los demás sitios.',
      old_password: 'Contraseña antigua',
      security_submit: 'Cambiar la contraseña',
      password_changed: 'Su contraseña se ha cambiado.',
    },
  },
}
