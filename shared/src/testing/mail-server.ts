import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail server that can refuse `refusals` letters to come, and keeps what it accepted. */
export async function startMailServer() {
  const state = { refusals: 0, letters: [] as string[], recipients: [] as string[] };
  const server = createServer((socket) => {
    let data: string | undefined;
    socket.on('error', () => undefined);
    socket.write('220 local ESMTP\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (data !== undefined) {
        if (line === '.') {
          state.letters.push(data);
          data = undefined;
          socket.write('250 taken\r\n');
        } else data += `${line}\n`;
      } else if (line.startsWith('EHLO')) socket.write('250-local\r\n250 SMTPUTF8\r\n');
      else if (/^(HELO|RSET)/.test(line)) socket.write('250 ok\r\n');
      else if (line.startsWith('RCPT')) {
        state.recipients.push(line);
        socket.write('250 ok\r\n');
      } else if (line.startsWith('MAIL')) {
        if (state.refusals > 0) {
          state.refusals -= 1;
          socket.write('451 later\r\n');
        } else socket.write('250 ok\r\n');
      } else if (line === 'DATA') {
        data = '';
        socket.write('354 go on\r\n');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    port: (server.address() as AddressInfo).port,
    /** The newest code that was sent to an address. */
    codeFor: (address: string) =>
      /^Subject: (\d{6})/m.exec(state.letters.findLast((letter) => letter.includes(`To: ${address}`)) ?? '')?.[1],
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
