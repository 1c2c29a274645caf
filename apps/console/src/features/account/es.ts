export const es = {
  account: {
    login: {
      title: 'Bienvenido de nuevo',
      intro: 'Inicie sesión para planificar, enviar y medir sus campañas.',
      username: 'Nombre de usuario',
      password: 'Contraseña',
      submit: 'Iniciar sesión',
      code: 'Código',
      code_text: 'Seis cifras de su aplicación de autenticación o uno de sus códigos de recuperación.',
      other_account: 'Iniciar sesión con otra cuenta',
      forgot: '¿Ha olvidado su contraseña?',
      claim: 'Cada correo contado. Ninguno perdido, ninguno repetido.',
      claim_text:
        'Segmentos, plantillas, envíos e informes en un solo lugar, de la primera lista al último clic.',
    },
    provider: {
      or: 'o',
      submit: 'Iniciar sesión con {{name}}',
      faults: {
        domain: 'Con direcciones de su dominio no se puede iniciar sesión aquí. Consulte a su administrador.',
        inactive: 'Su cuenta está desactivada. Consulte a su administrador.',
        several: 'Varias cuentas tienen su dirección. Inicie sesión con nombre de usuario y contraseña.',
        unknown: 'Todavía no hay una cuenta para usted. Consulte a su administrador.',
        cancelled: 'Se canceló el inicio de sesión en el proveedor.',
        late: 'Ha tardado demasiado o empezó en otro navegador. Empiece de nuevo.',
        unreachable: 'No se puede acceder al proveedor en este momento. Inténtelo más tarde.',
      },
    },
    reset: {
      invited_title: 'Bienvenido a EMMA',
      title: 'Establecer una contraseña nueva',
      request_intro:
        'Díganos su nombre de usuario. Si la cuenta existe, su dirección recibirá un correo con un enlace.',
      request_submit: 'Enviar el enlace',
      unmailed_title: 'Esta instalación no envía correos',
      unmailed_text:
        'Pida una contraseña nueva a su administrador. En el servidor, el comando «emma user reset» muestra un enlace.',
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
  },
}
