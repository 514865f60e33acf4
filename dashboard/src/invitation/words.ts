import { useLocale } from 'ra-core';
import { catalogue } from '../i18n/texts/catalogue.ts';

const invitation = catalogue(
  {
    title: 'Accept your invitation',
    meaning: 'Choose the password with which you will sign in to the dashboard.',
    password: 'Password',
    rules:
      'At least 8 characters. Not one of the most common passwords, and without your name or the part of your e-mail address before the @.',
    phone: 'Phone (optional)',
    accept: 'Create my account',
    done: 'Your account has been created',
    next: 'Sign in with the e-mail address at which you were invited, and your new password. You may be asked to set up two-factor authentication.',
    signIn: 'Sign in',
    other: 'Another administrator is signed in in this browser.',
    signOut: 'Sign out and go to the sign-in page',
    missing: 'This link is incomplete. Open the link in the e-mail again, or ask for a new invitation.',
    over: 'This invitation is no longer valid. Ask for a new one. If you have accepted it already, sign in.',
  },
  {
    title: 'Accepter votre invitation',
    meaning: 'Choisissez le mot de passe avec lequel vous vous connecterez au tableau de bord.',
    password: 'Mot de passe',
    rules:
      'Au moins 8 caractères. Pas l’un des mots de passe les plus courants, et sans votre nom ni la partie de votre adresse e-mail qui précède le @.',
    phone: 'Téléphone (facultatif)',
    accept: 'Créer mon compte',
    done: 'Votre compte a été créé',
    next: 'Connectez-vous avec l’adresse e-mail à laquelle vous avez été invité et votre nouveau mot de passe. Il vous sera peut-être demandé de configurer l’authentification à deux facteurs.',
    signIn: 'Se connecter',
    other: 'Un autre administrateur est connecté dans ce navigateur.',
    signOut: 'Se déconnecter et aller à la page de connexion',
    missing: 'Ce lien est incomplet. Ouvrez de nouveau le lien de l’e-mail, ou demandez une nouvelle invitation.',
    over: 'Cette invitation n’est plus valable. Demandez-en une nouvelle. Si vous l’avez déjà acceptée, connectez-vous.',
  },
);

/** The texts of this page, which are loaded with it. */
export function useWords() {
  const words = useLocale() === 'fr' ? invitation.fr : invitation.en;
  return (name: keyof typeof words) => words[name];
}
