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
    emailHint: 'Another address needs the current password',
    save: 'Save',
    saved: 'Saved. Your other sessions have ended if the e-mail changed.',
    password: 'Password',
    changePassword: 'Change the password',
    passwordChanged: 'The password is changed. Your other sessions have ended.',
    totp: 'Two-factor authentication',
    totpMeaning: 'Signing in then needs a code of an app on your phone besides the password.',
    setUp: 'Set up',
    scan: 'Scan this with your app, or enter the key by hand. Then type the code that it shows.',
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
      'Each signs you in once when you do not have your phone. They are shown only now: keep them in a safe place.',
    copy: 'Copy',
    copied: 'Copied',
    understood: 'I have kept them',
  },
  {
    title: 'Mon compte',
    profile: 'Nom et e-mail',
    name: 'Nom',
    email: 'E-mail',
    currentPassword: 'Mot de passe actuel',
    newPassword: 'Nouveau mot de passe',
    emailHint: 'Une autre adresse exige le mot de passe actuel',
    save: 'Enregistrer',
    saved: 'Enregistré. Vos autres sessions sont terminées si l’e-mail a changé.',
    password: 'Mot de passe',
    changePassword: 'Changer le mot de passe',
    passwordChanged: 'Le mot de passe est changé. Vos autres sessions sont terminées.',
    totp: 'Authentification à deux facteurs',
    totpMeaning: 'La connexion exige alors un code d’une application de votre téléphone en plus du mot de passe.',
    setUp: 'Configurer',
    scan: 'Scannez ceci avec votre application, ou saisissez la clé. Tapez ensuite le code qu’elle affiche.',
    qr: 'Code QR de la clé',
    key: 'Clé',
    code: 'Code',
    switchOn: 'Activer',
    switchOff: 'Désactiver l’authentification à deux facteurs',
    switchOffTitle: 'Désactiver l’authentification à deux facteurs ?',
    switchedOff: 'L’authentification à deux facteurs est désactivée.',
    isOn: 'L’authentification à deux facteurs est activée.',
    recoveryCodes: 'Codes de secours',
    recoveryMeaning:
      'Chacun permet une connexion sans votre téléphone. Ils ne sont affichés que maintenant : gardez-les en lieu sûr.',
    copy: 'Copier',
    copied: 'Copié',
    understood: 'Je les ai gardés',
  },
);

/** The sentences of this area, which come with it. */
export function useWords() {
  const words = useLocale() === 'fr' ? account.fr : account.en;
  return (name: keyof typeof words) => words[name];
}
