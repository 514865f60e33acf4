import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{$n as t,Bn as n,Ci as r,Hn as i,Lt as a,Mt as o,Qn as s,Vn as c,Zt as l,bt as u,gn as d,hn as f,in as p,jn as ee,jr as m,kn as h,mn as g,on as _,pn as v,ri as y,wa as te,wi as ne,xa as b}from"./vendor-ET4UTPq7.js";import{n as x,r as S,t as C}from"./DialogTitle-DbsfFz5z.js";import{t as w}from"./DialogActions-C46POJuk.js";import{p as T,r as E}from"./listing-5I_98Zwf.js";import{L as D,V as O,d as re}from"./core-DkMDo4v7.js";var k=e(te(),1);function ie(e){return c(`MuiLinearProgress`,e)}n(`MuiLinearProgress`,[`root`,`colorPrimary`,`colorSecondary`,`determinate`,`indeterminate`,`buffer`,`query`,`dashed`,`bar`,`bar1`,`bar2`]);var A=b(),j=4,M={},N=t`
  0% {
    left: -35%;
    right: 100%;
  }

  60% {
    left: 100%;
    right: -90%;
  }

  100% {
    left: 100%;
    right: -90%;
  }
`,P=typeof N==`string`?null:s`
        animation: ${N} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite;
      `,F=t`
  0% {
    left: -200%;
    right: 100%;
  }

  60% {
    left: 107%;
    right: -8%;
  }

  100% {
    left: 107%;
    right: -8%;
  }
`,I=typeof F==`string`?null:s`
        animation: ${F} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite;
      `,L=t`
  0% {
    opacity: 1;
    background-position: 0 -23px;
  }

  60% {
    opacity: 0;
    background-position: 0 -23px;
  }

  100% {
    opacity: 1;
    background-position: -200px -23px;
  }
`,R=typeof L==`string`?null:s`
        animation: ${L} 3s infinite linear;
      `,z=e=>{let{classes:t,variant:n,color:r}=e,i={root:[`root`,`color${v(r)}`,n],dashed:[`dashed`],bar1:[`bar`,`bar1`],bar2:[`bar`,`bar2`,n===`buffer`&&`color${v(r)}`]};return h(i,ie,t)},B=(e,t)=>e.vars?e.vars.palette.LinearProgress[`${t}Bg`]:e.palette.mode===`light`?e.lighten(e.palette[t].main,.62):e.darken(e.palette[t].main,.5),V=d(`span`,{name:`MuiLinearProgress`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[`color${v(n.color)}`],t[n.variant]]}})(f(({theme:e})=>({position:`relative`,overflow:`hidden`,display:`block`,height:4,zIndex:0,"@media print":{colorAdjust:`exact`},variants:[...Object.entries(e.palette).filter(a()).map(([t])=>({props:{color:t},style:{backgroundColor:B(e,t)}})),{props:({ownerState:e})=>e.color===`inherit`&&e.variant!==`buffer`,style:{"&::before":{content:`""`,position:`absolute`,left:0,top:0,right:0,bottom:0,backgroundColor:`currentColor`,opacity:.3}}},{props:{variant:`buffer`},style:{backgroundColor:`transparent`}},{props:{variant:`query`},style:{transform:`rotate(180deg)`}}]}))),H=d(`span`,{name:`MuiLinearProgress`,slot:`Dashed`})(f(({theme:e})=>({position:`absolute`,marginTop:0,height:`100%`,width:`100%`,backgroundSize:`10px 10px`,backgroundPosition:`0 -23px`,variants:[{props:{color:`inherit`},style:{opacity:.3,backgroundImage:`radial-gradient(currentColor 0%, currentColor 16%, transparent 42%)`}},...Object.entries(e.palette).filter(a()).map(([t])=>{let n=B(e,t);return{props:{color:t},style:{backgroundImage:`radial-gradient(${n} 0%, ${n} 16%, transparent 42%)`}}})]})),R||{animation:`${L} 3s infinite linear`},f(({theme:e})=>p(e,{animation:`none`})||M)),U=d(`span`,{name:`MuiLinearProgress`,slot:`Bar1`,overridesResolver:(e,t)=>[t.bar,t.bar1]})(f(({theme:e})=>{let t=p(e,{animation:`none`,left:`30%`,right:`auto`,width:`40%`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,..._(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[{props:{color:`inherit`},style:{backgroundColor:`currentColor`}},...Object.entries(e.palette).filter(a()).map(([t])=>({props:{color:t},style:{backgroundColor:(e.vars||e).palette[t].main}})),{props:{variant:`determinate`},style:{..._(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:{variant:`buffer`},style:{zIndex:1,..._(e,`transform`,{duration:`.${j}s`,easing:`linear`})}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:P||{animation:`${N} 2.1s cubic-bezier(0.65, 0.815, 0.735, 0.395) infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),W=d(`span`,{name:`MuiLinearProgress`,slot:`Bar2`,overridesResolver:(e,t)=>[t.bar,t.bar2]})(f(({theme:e})=>{let t=p(e,{animation:`none`,display:`none`});return{width:`100%`,position:`absolute`,left:0,bottom:0,top:0,..._(e,`transform`,{duration:`0.2s`,easing:`linear`}),transformOrigin:`left`,variants:[...Object.entries(e.palette).filter(a()).map(([t])=>({props:{color:t},style:{"--LinearProgressBar2-barColor":(e.vars||e).palette[t].main}})),{props:({ownerState:e})=>e.variant!==`buffer`&&e.color!==`inherit`,style:{backgroundColor:`var(--LinearProgressBar2-barColor, currentColor)`}},{props:({ownerState:e})=>e.variant!==`buffer`&&e.color===`inherit`,style:{backgroundColor:`currentColor`}},{props:{color:`inherit`},style:{opacity:.3}},...Object.entries(e.palette).filter(a()).map(([t])=>({props:{color:t,variant:`buffer`},style:{backgroundColor:B(e,t),..._(e,`transform`,{duration:`.${j}s`,easing:`linear`})}})),{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:{width:`auto`}},{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:I||{animation:`${F} 2.1s cubic-bezier(0.165, 0.84, 0.44, 1) 1.15s infinite`}},...t?[{props:({ownerState:e})=>e.variant===`indeterminate`||e.variant===`query`,style:t}]:[]]}})),G=k.forwardRef(function(e,t){let n=g({props:e,name:`MuiLinearProgress`}),{className:r,color:a=`primary`,max:o,min:s,value:c,valueBuffer:l,variant:u=`indeterminate`,...d}=n,f={...n,color:a,variant:u},p=s??0,m=o??100,h=z(f),_=ee(),v={},y={bar1:{},bar2:{}};if((u===`determinate`||u===`buffer`)&&c!==void 0){let e=m-p,t=(c-p)/e*100-100;_&&(t=-t),y.bar1.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`,v[`aria-valuenow`]=c,v[`aria-valuemin`]=p,v[`aria-valuemax`]=m}if(u===`buffer`&&l!==void 0){let e=m-p,t=(l-p)/e*100-100;_&&(t=-t),y.bar2.transform=e>0?`translateX(${t}%)`:`translateX(-100%)`}return(0,A.jsxs)(V,{className:i(h.root,r),ownerState:f,role:`progressbar`,...v,ref:t,...d,children:[u===`buffer`?(0,A.jsx)(H,{className:h.dashed,ownerState:f}):null,(0,A.jsx)(U,{className:h.bar1,ownerState:f,style:y.bar1}),u===`determinate`?null:(0,A.jsx)(W,{className:h.bar2,ownerState:f,style:y.bar2})]})}),K=l((0,A.jsx)(`path`,{d:`M19 9h-4V3H9v6H5l7 7zm-8 2V5h2v6h1.17L12 13.17 9.83 11zm-6 7h14v2H5z`}),`DownloadOutlined`),q=e=>/^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(e)?`'${e}`:e,J=e=>e===`fr`?`;`:`,`;function ae(e){let t=typeof e==`string`?q(e):String(e??``);return/[",;\r\n]/.test(t)?`"${t.replaceAll(`"`,`""`)}"`:t}var Y=(e,t)=>`${e.map(ae).join(t)}\r\n`,X=2e4,Z=100;function Q(e){let t=J(y());return{head:`﻿`+Y(Object.keys(e),t),linesOf:n=>n.map(n=>Y(Object.values(e).map(e=>e(n)),t)).join(``)}}function $(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(new Blob(e,{type:`text/csv;charset=utf-8`})),n.download=`${t}-${new Date().toISOString().slice(0,10)}.csv`,n.click(),URL.revokeObjectURL(n.href)}function oe(e){let{resource:t,sort:n,...r}=T(),i=r.filterValues,a=m(),o=O(),s=re(),{head:c,linesOf:l}=Q(e),u=(e,r)=>a.getList(t,{pagination:{page:e,perPage:Z},sort:n,filter:i,signal:r});return async(e,n)=>{let r=[c],i=new Set,a=1/0;for(let t=1;(t-1)*Z<a;t+=1){let{data:c,total:d=0}=await u(t,n);if(n.throwIfAborted(),d>X){let[e,t]=[X,d].map(e=>e.toLocaleString(s));throw Error(o(`csv.tooMany`,{most:e,total:t}))}t===1&&(a=d);let f=c.filter(({id:e})=>!i.has(e));for(let{id:e}of f)i.add(e);r.push(l(f)),e({count:i.size,total:a})}if(i.size===0)throw Error(o(`csv.nothing`));if(i.size<a)throw Error(o(`csv.moved`));return $(r,t),i.size}}function se({columns:e}){let{resource:t}=T(),n=E(),r=O(),{head:i,linesOf:a}=Q(e);return(0,A.jsx)(u,{size:`small`,startIcon:(0,A.jsx)(K,{}),onClick:()=>$([i,a(n)],t),children:r(`csv.selected`)})}function ce({columns:e}){let t=oe(e),[n,i]=(0,k.useState)(),a=(0,k.useRef)(void 0);D(()=>n!==void 0);let s=ne(),c=r(),l=O();async function d(){let{signal:e}=a.current=new AbortController;i({count:0,total:0});try{let n=await t(i,e);s(`csv.done`,{type:`success`,messageArgs:{smart_count:n}})}catch(t){e.aborted||s(t instanceof Error?t.message:`states.failed`,{type:`error`})}finally{i(void 0)}}let{count:f=0,total:p=0}=n??{};return(0,A.jsxs)(A.Fragment,{children:[(0,A.jsx)(u,{size:`small`,startIcon:(0,A.jsx)(K,{}),onClick:()=>void d(),children:l(`csv.button`)}),(0,A.jsxs)(S,{open:n!==void 0,fullWidth:!0,maxWidth:`xs`,"aria-labelledby":`csv-title`,children:[(0,A.jsx)(C,{id:`csv-title`,children:l(`csv.title`)}),(0,A.jsxs)(x,{children:[(0,A.jsx)(G,{"aria-labelledby":`csv-title`,variant:p>0?`determinate`:`indeterminate`,value:p>0?Math.min(100,f/p*100):void 0}),(0,A.jsx)(o,{sx:{marginTop:1},children:l(`csv.progress`,{count:f,total:p})})]}),(0,A.jsx)(w,{children:(0,A.jsx)(u,{onClick:()=>a.current?.abort(),children:c(`ra.action.cancel`)})})]})]})}export{se as n,ce as t};