// Which rows of wall-clock time are of threads of the program that do something, or wait for something in particular. The others are
// threads that wait for work, and threads of the JVM; in most programs they have nearly all of the time.

import {families, familyOf, isJavaKind, MARKER} from '../data/kinds.js';
import {inSlices} from '../slices.js';

/** Methods in which threads wait for work, by class and method. */
const WAITS_FOR_WORK = new Set([
  'java.util.concurrent.ThreadPoolExecutor.getTask',
  'java.util.concurrent.ForkJoinPool.awaitWork',
  'java.util.concurrent.DelayScheduler.loop',
  'java.util.TimerThread.mainLoop',
  'java.lang.VirtualThread.unblockVirtualThreads',
  'java.lang.ref.ReferenceQueue.remove',
  'java.lang.ref.Reference.waitForReferencePendingList',
  'java.net.ServerSocket.accept',
  'sun.nio.ch.ServerSocketChannelImpl.accept',
  'sun.nio.ch.SelectorImpl.lockAndDoSelect',
  'sun.nio.ch.EPoll.wait',
  'io.netty.channel.epoll.Native.epollWait',
  'io.netty.util.concurrent.SingleThreadEventExecutor.takeTask',
  'org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask',
  'org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll',
  'org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait',
  'kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park',
]);

// States of a thread that has something to do.
const HAS_WORK = new Set(['[runnable]', '[throttled]', '[stolen]']);

// Flags of a node: those of its own frame and of its callers.
const OF_PROGRAM = 1, FOR_WORK = 2;

/** @return {boolean} whether a value counts wall-clock time or its samples */
export function isWall({values, event}, lens) { return values[lens].type === 'wall' || (values[lens].type === 'samples' && event === 'wall'); }

/** @return {boolean} whether a profile has wall-clock time of one program */
export function hasWall({values, difference}) { return !difference && values.some(({type}) => type === 'wall'); }

/**
 * @param {import('../data/decode.js').Profile} profile
 * @return {Generator} of a Uint8Array, row -> 1 if its thread is of the program and does not wait for work
 */
export function* busyRows({names, frameNames, frameKinds, parents, frames, rowNodes}) {
  const waits = names.map((name) => WAITS_FOR_WORK.has(plainName(name)));
  const isWait = names.map((name) => isWaitState(name));
  const flagsOfFrame = Uint8Array.from(frameNames, (name, frame) => {
    const isOfProgram = isJavaKind(frameKinds[frame]) || isUnresolved(frameKinds[frame], names[name]);
    return (isOfProgram ? OF_PROGRAM : 0) | (waits[name] ? FOR_WORK : 0);
  });
  const flags = new Uint8Array(frames.length);
  yield* inSlices(frames.length, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) flags[node] = flags[parents[node]] | flagsOfFrame[frames[node]];
  });
  const busy = new Uint8Array(rowNodes.length);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const node = rowNodes[row];
      const isIdle = (flags[node] & FOR_WORK) !== 0 && isWait[frameNames[frames[node]]];
      busy[row] = (flags[node] & OF_PROGRAM) !== 0 && !isIdle ? 1 : 0;
    }
  });
  return busy;
}

/** Whether a frame replaces a part of the stack that may have had Java frames. */
function isUnresolved(kind, name) { return families()[familyOf(kind, name)].id === 'marker'; }

function isWaitState(name) { return families()[familyOf(MARKER, name)].id === 'state' && !HAS_WORK.has(name); }

/** Returns a name with dots and without its arguments. */
function plainName(name) { return name.replace(/\(.*/s, '').replaceAll('/', '.'); }
