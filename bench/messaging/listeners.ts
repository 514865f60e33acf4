import { Agent, request } from 'node:http';

interface Order {
  url: string;
  users: string[];
  perUser: number;
}

const EVENT = /^event: ?message\.created$/m;
const ID = /"id":(\d+)/;
let arrived: { id: number; at: number }[] = [];

function listen(url: string, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`stream refused: ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        rest += text;
        const frames = rest.split('\n\n');
        rest = frames.pop() ?? '';
        const at = Date.now();
        for (const frame of frames) {
          const id = EVENT.test(frame) ? ID.exec(frame)?.[1] : undefined;
          if (id) arrived.push({ id: Number(id), at });
        }
      });
      resolve();
    });
    outgoing.end();
  });
}

process.once('message', (order: Order) => {
  void (async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
    for (const token of order.users) {
      await Promise.all(Array.from({ length: order.perUser }, () => listen(order.url, token, agent)));
    }
    process.send?.({ open: true });
    setInterval(() => {
      if (arrived.length > 0) process.send?.(arrived);
      arrived = [];
    }, 100);
  })();
});
