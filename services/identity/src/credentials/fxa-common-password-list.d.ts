declare module 'fxa-common-password-list' {
  const list: {
    /** Whether it is a common password. Pass it in lower case; the list holds those of at least eight characters. */
    test(password: string): boolean;
  };
  export default list;
}
