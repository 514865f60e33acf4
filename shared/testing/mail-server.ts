import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * An SMTP server that records the mails it accepts. It temporarily refuses the next `refusals` mails, answers each
 * `refuses.command` with `refuses.reply`, and never answers for the recipient `silent`.
 */
export async function startMailServer() {
  const state = {
    refusals: 0,
    refuses: undefined as { command: string; reply: string } | undefined,
    silent: undefined as string | undefined,
    unanswered: 0,
    letters: [] as string[],
    recipients: [] as string[],
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let data: string | undefined;
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 local ESMTP\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (data !== undefined) {
        if (line === '.') {
          const isRefused = state.refuses?.command === line;
          if (!isRefused) state.letters.push(data);
          data = undefined;
          socket.write(isRefused ? `${state.refuses!.reply}\r\n` : '250 taken\r\n');
        } else data += `${line}\n`;
      } else if (line.startsWith('EHLO')) socket.write('250-local\r\n250 SMTPUTF8\r\n');
      else if (/^(HELO|RSET)/.test(line)) socket.write('250 ok\r\n');
      else if (state.refuses && line.startsWith(state.refuses.command)) socket.write(`${state.refuses.reply}\r\n`);
      else if (line.startsWith('RCPT')) {
        state.recipients.push(line);
        if (state.silent !== undefined && line.includes(state.silent)) state.unanswered += 1;
        else socket.write('250 ok\r\n');
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
    /** The latest code that was sent to an address. */
    codeFor: (address: string) =>
      /^Subject: (\d{6})/m.exec(state.letters.findLast((letter) => letter.includes(`To: ${address}`)) ?? '')?.[1],
    /** Closes all connections. */
    hangUp: () => sockets.forEach((socket) => socket.destroy()),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
