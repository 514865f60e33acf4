declare module 'fxa-common-password-list' {
  const list: {
    /** Whether the password is common. Pass it in lower case; the list has passwords of at least eight characters. */
    test(password: string): boolean;
  };
  export default list;
}
