import { useLocale } from 'ra-core';
import { catalogue } from '../i18n/texts/catalogue.ts';

const account = catalogue(
  {
    title: 'My account',
    profile: 'Name and e-mail',
    name: 'Name',
    email: 'E-mail',
    currentPassword: 'Current password',
    newPassword: 'New password',
    emailHint: 'To change the address, enter your current password',
    save: 'Save',
    saved: 'Saved. If the e-mail address changed, your other sessions have ended.',
    password: 'Password',
    changePassword: 'Change the password',
    passwordChanged: 'Password changed. Your other sessions have ended.',
    totp: 'Two-factor authentication',
    totpMeaning: 'You will sign in with your password and a code from an app on your phone.',
    required: 'One more step',
    requiredMeaning: 'Administrators need two-factor authentication here. Set it up to continue.',
    signOut: 'Sign out',
    setUp: 'Set up',
    scan: 'Scan this QR code with your app, or enter the key by hand. Then enter the code that the app shows.',
    qr: 'QR code of the key',
    key: 'Key',
    code: 'Code',
    switchOn: 'Switch on',
    switchOff: 'Switch off two-factor authentication',
    switchOffTitle: 'Switch off two-factor authentication?',
    switchedOff: 'Two-factor authentication is off.',
    isOn: 'Two-factor authentication is on.',
    recoveryCodes: 'Recovery codes',
    recoveryMeaning:
      'Each code signs you in once if you do not have your phone. They are shown only now: keep them in a safe place.',
    copy: 'Copy',
    copied: 'Copied',
    understood: 'I have saved them',
  },
  {
    title: 'Mon compte',
    profile: 'Nom et e-mail',
    name: 'Nom',
    email: 'E-mail',
    currentPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    emailHint: 'Pour changer l’adresse, saisissez votre mot de passe actuel',
    save: 'Enregistrer',
    saved: 'Enregistré. Si l’adresse e-mail a changé, vos autres sessions sont terminées.',
    password: 'Mot de passe',
    changePassword: 'Changer le mot de passe',
    passwordChanged: 'Mot de passe modifié. Vos autres sessions sont terminées.',
    totp: 'Authentification à deux facteurs',
    totpMeaning: 'Vous vous connecterez avec votre mot de passe et un code d’une application de votre téléphone.',
    required: 'Encore une étape',
    requiredMeaning:
      'Les administrateurs ont besoin ici de l’authentification à deux facteurs. Configurez-la pour continuer.',
    signOut: 'Se déconnecter',
    setUp: 'Configurer',
    scan: 'Scannez ce code QR avec votre application, ou saisissez la clé. Entrez ensuite le code qu’elle affiche.',
    qr: 'Code QR de la clé',
    key: 'Clé',
    code: 'Code',
    switchOn: 'Activer',
    switchOff: 'Désactiver l’authentification à deux facteurs',
    switchOffTitle: 'Désactiver l’authentification à deux facteurs\u00a0?',
    switchedOff: 'L’authentification à deux facteurs est désactivée.',
    isOn: 'L’authentification à deux facteurs est activée.',
    recoveryCodes: 'Codes de secours',
    recoveryMeaning:
      'Chaque code permet une connexion sans votre téléphone. Ils ne sont affichés que maintenant\u00a0: gardez-les en lieu sûr.',
    copy: 'Copier',
    copied: 'Copié',
    understood: 'Je les ai enregistrés',
  },
);

/** The texts of this area, which are loaded with it. */
export function useWords() {
  const words = useLocale() === 'fr' ? account.fr : account.en;
  return (name: keyof typeof words) => words[name];
}
